import { readFile } from "node:fs/promises";
import { z } from "zod";
import { operation, type Operation } from "../http/operation";

/**
 * `GET /{region}/web/v4/{publicKey}`: the agent as a module, to be imported by
 * pages (docs/contract.md, "Agent addresses"). Its key is not looked at: that
 * is for the requests that the agent sends.
 */
export function serveAgent(): Operation {
  return operation({
    name: "agentScript",
    method: "GET",
    path: "/:public_key",
    summary: "The browser agent",
    description:
      "An ES module for pages. It sends to the address that it was loaded from, with the key in it.",
    status: 200,
    contentType: "text/javascript; charset=utf-8",
    answer: z.string(),
    run: () => readFile(require.resolve("@devid/agent/script"), "utf8"),
  });
}
