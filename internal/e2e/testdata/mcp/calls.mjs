// Calls of tools through an outside MCP client, told as JSON.
//
//   node calls.mjs v1|v2 CALLS COMMAND [ARG...]
//
// CALLS is a JSON list of [tool, arguments]; the answers are a list of the
// text or {code, message, data}.

import { open } from "./client.mjs";

const [kind, calls, command, ...args] = process.argv.slice(2);
const client = await open(kind, command, args);
const problems = [];
client.onerror = (err) => problems.push(String(err));

const answers = [];
for (const [name, given] of JSON.parse(calls)) {
  try {
    const res = await client.callTool({ name, arguments: given });
    if (res.isError || res.content.length !== 1 || res.content[0].type !== "text") problems.push(`${name} answered with ${JSON.stringify(res).slice(0, 200)}`);
    answers.push(res.content[0].text);
  } catch (err) {
    const message = err.message.replace(/^MCP error -?\d+: /, "");
    answers.push(err.code === undefined ? { thrown: String(err) } : { code: err.code, message, data: err.data });
  }
}
const tools = (await client.listTools()).tools.map((t) => t.name);
const server = client.getServerVersion()?.name;
await client.close();
console.log(JSON.stringify({ server, tools, answers, problems }));
