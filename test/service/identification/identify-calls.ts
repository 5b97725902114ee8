import type { Event } from "@devid/sdk";
import type { Region } from "@devid/service";
import type {
  IdentificationAnswer,
  IdentificationBody,
} from "../../../service/src/agent/identification-wire";
import type { Answer } from "../answer.js";
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

/** Signals of another device. */
export const OTHER_DEVICE = { hardware_concurrency: 2, platform: "MacIntel" };

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
  return (await local.event(event_id, region)) as unknown as Event;
}

/** Identifies a visitor, and returns the members of the answer, and the event. */
export async function visit(
  local: LocalWorkspace,
  body?: Parameters<typeof identify>[1],
  options?: Identification,
) {
  const answer = await identify(local, body, options);
  if (answer.status !== 200) throw new Error(answer.text);
  const event = await eventOf(local, answer, options?.region);
  return { ...(answer.body as Required<IdentificationAnswer>), event };
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
