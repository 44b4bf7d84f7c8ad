// open connects an outside MCP client to a server that it starts. kind v1 is
// the client of @modelcontextprotocol/sdk, v2 that of
// @modelcontextprotocol/client, which asks for the newest protocol.
export async function open(kind, command, args) {
  const who = { name: "espy-test", version: "1.0.0" };
  const server = { command, args, env: { ...process.env }, stderr: "inherit" };
  if (kind === "v1") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const client = new Client(who);
    await client.connect(new StdioClientTransport(server));
    return client;
  }
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client(who, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport(server));
  return client;
}
