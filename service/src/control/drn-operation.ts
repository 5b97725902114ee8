import { DrnRecord } from "@devid/sdk/wire";
import type { Context } from "../context";
import { operation, type Operation } from "../http/operation";

/** `POST /_local/{region}/drn/{visitor_id}`: says what is known of a device. */
export function drnOperation({ clock, store }: Context): Operation {
  const Data = DrnRecord.strict();
  return operation({
    name: "setDeviceReputation",
    method: "POST",
    path: "/:region/drn/:visitor_id",
    summary: "Say what the reputation of a device is",
    description:
      "The data of an answer, whole or in part. Every region sees it; it takes the place of what was said before, and is 30 days good.",
    body: Data,
    status: 201,
    answer: Data,
    run: ({ id, body }) => {
      store.drnRecords.set(id, JSON.stringify(body), clock.nowMs());
      return body;
    },
  });
}
