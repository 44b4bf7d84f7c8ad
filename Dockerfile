FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=1 go build -trimpath -buildvcs=false -o /espy ./cmd/espy

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git openssh-client && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 10001 espy && install -d -o espy -m 0700 /data
COPY --from=build /espy /usr/local/bin/espy
USER espy
VOLUME /data
ENTRYPOINT ["espy"]
