import type { IdentificationAnswer } from "../agent/identification-wire";
import { seal } from "@devid/sdk/sealed-results";
import type { Settings } from "../events/settings";
import { hiddenMembers } from "../events/signals";
import { visibleEvent } from "../events/visible-events";
import type { EncryptionKeyRow } from "../store/encryption-keys";
import type { Recognised } from "./recognise";

/**
 * What the agent is told of an event, given as JSON (docs/contract.md,
 * "get()"): as much as the settings allow. With an enabled encryption key, or
 * where the settings say so, the event comes along, sealed with its current
 * token (docs/assumptions.md, A84).
 */
export function answerVisit(
  body: string,
  { visitorId, storageId }: Recognised,
  { signals, zeroTrust, sealed }: Settings,
  encryptionKey: EncryptionKeyRow | undefined,
): IdentificationAnswer {
  const event = visibleEvent(body, { hidden: hiddenMembers(signals) });
  const isSealed = sealed || encryptionKey?.status === "enabled";
  const score = event.suspect_score ?? undefined;
  return {
    event_id: event.event_id,
    ...(!zeroTrust && { visitor_id: visitorId }),
    ...(score !== undefined && { suspect_score: score }),
    storage_id: storageId,
    ...(isSealed &&
      encryptionKey && {
        sealed_result: seal(
          JSON.stringify(event),
          encryptionKey.token,
        ).toString("base64"),
      }),
  };
}
