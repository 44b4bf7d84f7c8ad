// One session of an outside MCP client with a server, told as JSON.
//
//   node session.mjs v1|v2 COMMAND [ARG...]

import { open } from "./client.mjs";

const [kind, command, ...args] = process.argv.slice(2);
const client = await open(kind, command, args);
const problems = [];
client.onerror = (err) => problems.push(String(err));

// call returns the text of a tool's answer, marked when it is an error.
async function call(name, args, options) {
  const params = { name, arguments: args };
  const res = kind === "v1" ? await client.callTool(params, undefined, options) : await client.callTool(params, options);
  if (res.content.length !== 1 || res.content[0].type !== "text" || res.structuredContent !== undefined) {
    problems.push(`${name} answered with ${JSON.stringify(res).slice(0, 200)}`);
  }
  return (res.isError ? "ERROR " : "") + res.content[0].text;
}

const story = {
  server: client.getServerVersion()?.name,
  instructions: client.getInstructions()?.length ?? 0,
  tools: (await client.listTools()).tools.map((t) => t.name),
};
const progress = [];
story.index = await call("index", {}, { onprogress: (p) => progress.push(p.progress) });
story.progressGrows = progress.every((p, i) => i === 0 || p > progress[i - 1]);
story.literal = await call("search", { query: 'fmt.Errorf("%w', mode: "literal" });
story.regex = await call("search", { query: "func Apply\\w+", mode: "regex" });
story.words = await call("search", { query: "where are rules applied" });
story.json = JSON.parse(await call("search", { query: "ApplyRules", mode: "literal", format: "json" })).total;
story.read = await call("read", { path: "rules.go:3-4" });
story.files = await call("files", { path: ["**/*.go"] });
story.status = await call("status", {});
story.unknownArgument = await call("search", { qury: "x" });
story.badRegex = await call("search", { query: "a(", mode: "regex" });

const abort = new AbortController();
const cancelled = call("index", { force: true }, { signal: abort.signal }).then(
  () => "answered",
  () => "cancelled",
);
abort.abort();
story.cancelled = await cancelled;
story.afterwards = await call("search", { query: "ApplyRules", mode: "literal", detail: "locate" });
story.together = (await Promise.all(Array.from({ length: 20 }, () => call("search", { query: "ApplyRules", mode: "literal", limit: 1 })))).every((t) => t.startsWith("1 of "));
await client.close();
story.problems = problems;
console.log(JSON.stringify(story));
