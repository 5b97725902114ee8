import { readFile } from "node:fs/promises";
import { z } from "zod";
import { operation, type Operation } from "../http/operation";
import { packageFile } from "../package-files";

/**
 * `GET /{region}/web/v4/{publicKey}`: the agent as an ES module that pages
 * import (docs/contract.md, "Agent addresses"). The script is served for any key. The
 * key is checked in the requests that the agent sends.
 */
export function serveAgent(): Operation {
  return operation({
    name: "agentScript",
    method: "GET",
    path: "/:public_key",
    summary: "Get the browser agent",
    description:
      "An ES module for web pages. It sends its requests to the address that it was loaded from, which holds the key.",
    contentType: "text/javascript; charset=utf-8",
    answer: z.string(),
    run: () => readFile(packageFile("./browser-agent/script.mjs"), "utf8"),
  });
}
