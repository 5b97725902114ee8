import {
  IdentificationAnswer,
  IdentificationBody,
} from "../agent/identification-wire";
import type { Context } from "../context";
import { refuseBody } from "../events/refuse-body";
import { operation, type Operation } from "../http/operation";
import { canonicalHeaders, pairsOf } from "./canonical-headers";
import { plainAddress } from "./plain-address";

/** `POST /{region}/web/v4/{publicKey}`, which the browser agent calls. */
export function identifyOperation(context: Context): Operation {
  return operation({
    name: "identify",
    method: "POST",
    path: "/:public_key",
    summary: "Identify the visitor of a page",
    description:
      "What the agent sends. The filtering rules in force are asked about the request itself; where they deny, the answer is 403 with deny_with as its message.",
    body: IdentificationBody,
    refuse: refuseBody,
    status: 200,
    answer: IdentificationAnswer,
    // Loaded when first needed: the rule language would slow the start.
    load: () => import("./identify.js"),
    run: ({ workspace, caller, body, rawHeaders, ip }, { identify }) => {
      // The guard of the surface has let no other caller in.
      if (caller?.kind !== "api-key") throw new Error("No key was admitted.");
      return identify(context, workspace, {
        key: caller.key,
        headers: canonicalHeaders(pairsOf(rawHeaders)),
        ip: plainAddress(ip),
        sent: body,
      });
    },
  });
}
