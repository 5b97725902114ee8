import type { Context } from "../../context";
import { AnswerError } from "../../http/answer-error";
import type { Operation } from "../../http/operation";
import { serveServerOperation } from "../serve-server-operation";
import { settingsOf } from "../../workspace/settings";
import { visibilityOf } from "../visible-events";
import { KEY_PARAMETERS } from "./legacy-query";

/**
 * How far back the events of related visitors may be: 6 months
 * (docs/assumptions.md, A188).
 */
const REACH_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * `GET /related-visitors`: the other visitors that are browsers of the same
 * mobile device. A control call says which they are.
 */
export function relatedVisitorsOperation({ store, clock }: Context): Operation {
  return serveServerOperation(
    "listLegacyRelatedVisitors",
    (call) => {
      const { workspace, query } = call;
      if (!settingsOf(store, workspace).relatedVisitors)
        throw new AnswerError(
          "feature_not_enabled",
          `feature not enabled: related visitors; POST /_local/${workspace}/settings with {"relatedVisitors": true} enables it`,
        );
      const { environment } = visibilityOf(store, call);
      const isSeen = (visitorId: string, sinceMs: number) =>
        store.events.has({
          workspace,
          visitorId,
          sinceMs,
          environment: environment ?? undefined,
        });
      const { visitor_id: visitorId } = query;
      if (!isSeen(visitorId, 0))
        throw new AnswerError("visitor_not_found", "visitor not found");
      const sinceMs = clock.nowMs() - REACH_MS;
      const related = store.relatedVisitors
        .of(workspace, visitorId)
        .filter((other) => isSeen(other, sinceMs));
      return {
        relatedVisitors: related.map((other) => ({ visitorId: other })),
      };
    },
    { below: "/related-visitors", ignored: KEY_PARAMETERS, errors: [404] },
  );
}
