import type {
  FilteringRulesTest,
  FilteringRulesTestResult,
} from "@devid/sdk/wire";
import type { Region } from "@devid/sdk";
import type { z } from "zod";
import type { Store } from "../store/store";
import { compileReadable } from "./compile-readable";
import { requestOfEvent } from "./request-of-event";
import { rulesInForce } from "./rules-in-force";

/**
 * What rules, given or in force, decide about a request (docs/contract.md,
 * "POST /filtering-rules/test"; docs/assumptions.md, A36). The body has one of
 * `rules` and `environment`, and one of the two requests. Throws AnswerError
 * where there is no such event.
 */
export function testRules(
  store: Store,
  workspace: Region,
  body: z.output<typeof FilteringRulesTest>,
): z.output<typeof FilteringRulesTestResult> {
  const { rules, environment = "", test_request_id: event = "" } = body;
  const decide = rules
    ? compileReadable(
        rules.map(({ expression, action, deny_with }) => ({
          name: "",
          expression,
          action,
          status: "enabled",
          denyWith: deny_with ?? undefined,
        })),
      )
    : rulesInForce(store, workspace, environment);
  const request =
    body.test_request_payload ?? requestOfEvent(store, workspace, event);
  const { headers = {}, ...rest } = request;
  const { result, decidedBy } = decide({ ...rest, headers });
  return {
    result,
    deny_with: result === "deny" ? (decidedBy?.denyWith ?? "Forbidden") : null,
    triggered_rule: decidedBy?.expression ?? null,
  };
}
