import { isLoopback } from "@devid/sdk";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call } from "../http/operation";
import { member } from "../http/violations";
import { environmentViolations } from "./environment-violations";

/** What is wrong with a webhook that no schema tells: its environment is not there, or its url is open to listeners. */
export function webhookViolations(
  context: Context,
  call: Call<unknown, unknown>,
): Violation[] {
  return [...urlViolations(call), ...environmentViolations(context, call)];
}

/** https, or http to this machine, where there is no network to listen in on. */
function urlViolations({ body }: Call<unknown, unknown>): Violation[] {
  const url = member(body, "url");
  if (typeof url !== "string" || !URL.canParse(url)) return [];
  const { protocol, hostname } = new URL(url);
  if (protocol !== "http:" || isLoopback(hostname)) return [];
  return [
    {
      property: "url",
      message:
        "must start with https:// (http:// is for 127.0.0.1, [::1] and localhost only)",
    },
  ];
}
