import { z } from "zod";
import type { Context } from "../context";
import { JsonText } from "../http/json-text";
import { operation, type Operation } from "../http/operation";
import { Since } from "./since";

const Decision = z.object({
  n: z.int(),
  at: z.string(),
  environment: z.string(),
  key: z.string(),
  result: z.enum(["allow", "deny"]),
  deny_with: z.string().nullable(),
  rule: z
    .object({ id: z.string(), name: z.string(), expression: z.string() })
    .nullable(),
  event_id: z.string().nullable(),
  request: z.looseObject({
    headers: z.record(z.string(), z.array(z.string())),
    ip: z.string().optional(),
    userAgent: z.string().optional(),
    sdkPlatform: z.string().optional(),
    sdkVersion: z.string().optional(),
    appPackageName: z.string().optional(),
  }),
});

/** `GET /_local/{region}/decisions`: what the rules said of each request. */
export function decisionsOperation({ store }: Context): Operation {
  return operation({
    name: "listDecisions",
    method: "GET",
    path: "/:region/decisions",
    summary: "What the filtering rules said of each request",
    description:
      "The last 20,000 of all workspaces, refused requests included. rule is the one that decided, null where none matched.",
    query: Since,
    status: 200,
    answer: z.array(Decision),
    run: ({ workspace, query }) =>
      new JsonText(
        JSON.stringify(store.decisions.since(workspace, query.since ?? 0)),
      ),
  });
}
