import type { Event, Region } from "@devid/sdk";
import type { Settings } from "../events/settings";
import { newStorageId } from "../store/identity";
import type { Visitors } from "../store/visitors";
import { deviceOf } from "./device-of";
import type { Visit } from "./visit";

/** What the agent is told where identification is switched off (docs/assumptions.md, A76). */
const DUMMY_VISITOR_ID = "n/a";

/** Who a visit is of. */
export interface Recognised {
  /** Undefined where nobody can be told, or is to be. */
  readonly identification: Event["identification"];
  /** The visitor as the agent is told; empty where nobody can be told. */
  readonly visitorId: string;
  /** For the browser to keep. */
  readonly storageId: string;
}

/**
 * Tells who is there: by what the browser kept, else by the device, else
 * somebody new (docs/assumptions.md, A161). Notes that they were.
 */
export function recognise(
  visitors: Visitors,
  workspace: Region,
  visit: Visit,
  { identification: isOn }: Settings,
  nowMs: number,
): Recognised {
  const { storage_id: storageId } = visit.sent;
  const device = deviceOf(visit);
  const nobody = (visitorId: string): Recognised => ({
    identification: undefined,
    visitorId,
    storageId: storageId ?? newStorageId(),
  });
  if (!isOn) return nobody(DUMMY_VISITOR_ID);
  const found = visitors.find(workspace, { storageId, device });
  if (!found && device === undefined) return nobody("");
  const visitor = found ?? visitors.add(workspace, device, nowMs);
  if (found) visitors.seen(found.seq, device, nowMs);
  return {
    identification: {
      visitor_id: visitor.visitor_id,
      visitor_found: found !== undefined,
      first_seen_at: visitor.first_seen_at,
      last_seen_at: visitor.last_seen_at,
    },
    visitorId: visitor.visitor_id,
    storageId: visitor.storage_id,
  };
}
