import type { Event } from "@devid/sdk";
import type { Region } from "@devid/service";
import type { IdentificationBody } from "../../../service/src/agent/identification-wire";
import type { Answer } from "../answer.js";
import { sendEvents } from "../server-api/event-calls.js";
import type { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sender, type CallOptions } from "../sender.js";

/** The user agent of a common browser. */
export const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

/** The body that the agent sends from a page of a shop. */
export const PAGE: IdentificationBody = {
  sdk: { platform: "js", version: "4.0.0" },
  url: "https://shop.example/login?step=1",
  signals: { hardware_concurrency: 8, platform: "Win32", fonts: ["Arial"] },
};

/** Headers of a browser on that page. */
export const BROWSER = {
  origin: "https://shop.example",
  "user-agent": CHROME,
};

/** The parts of an agent's call that a test may change. */
export interface Identification extends CallOptions {
  readonly region?: Region;
  readonly key?: string;
}

/** Calls the endpoint like the agent on a page. */
export async function identify(
  { service }: LocalWorkspace,
  body: Partial<IdentificationBody> = {},
  { region = "us", key, headers, ...options }: Identification = {},
): Promise<Answer> {
  const token = key ?? service.workspaces[region].publicKey;
  return sender(`${service.url}/${region}/web/v4`, BROWSER)(
    "POST",
    `/${encodeURIComponent(token)}`,
    { body: { ...PAGE, ...body }, ...options, ...(headers && { headers }) },
  );
}

/** The event of an answer. */
export async function eventOf(
  local: LocalWorkspace,
  { body }: Answer,
  region: Region = "us",
): Promise<Event> {
  const { event_id } = body as { event_id: string };
  const answer = await sendEvents(local, region)("GET", `/events/${event_id}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Event;
}

/** All decisions so far, read by a control call. */
export async function decisionsOf(
  { controlCall }: LocalWorkspace,
  region: Region = "us",
  since = 0,
): Promise<Record<string, unknown>[]> {
  const path = `/${region}/decisions?since=${since}`;
  return (await controlCall("GET", path)).body as Record<string, unknown>[];
}

/** Puts rules in force in an environment; default: the default environment. */
export async function setRules(
  local: LocalWorkspace,
  rules: readonly object[],
  environment: string = local.service.workspaces.us.environment,
): Promise<void> {
  const answer = await local.us("POST", "/filtering-rules/bulk", {
    body: { environment, mode: "overwrite", rules },
  });
  if (answer.status !== 200) throw new Error(answer.text);
}
