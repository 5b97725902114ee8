import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";

/**
 * The most that a workspace may hold with `--limits documented`
 * (docs/contract.md, "Account limits").
 */
const DOCUMENTED = {
  "API keys": 10,
  webhooks: 5,
  "filtering rules": 15,
} as const;

/**
 * Refuses a write that would leave the workspace with more than `--limits`
 * allows. Throws AnswerError.
 */
export function checkLimit(
  { limits }: Context,
  what: keyof typeof DOCUMENTED,
  count: number,
): void {
  if (limits === "off" || count <= DOCUMENTED[what]) return;
  throw new AnswerError(
    "limit_reached",
    `A workspace may have ${DOCUMENTED[what]} ${what}; this would make ${count}. Start the service with --limits off to go beyond.`,
  );
}
