import { parseUrl } from "@devid/sdk/errors";
import { UNKNOWN_TEXT } from "./engine-names";

type Inputs = Readonly<Record<string, unknown>>;

/** What a deployment means for those who use a resource. Text between backquotes comes from the program. */
export interface Effect {
  readonly risk: "low" | "medium" | "high";
  readonly text: string;
}

/**
 * A deployment's change of one resource. The inputs before are empty for a new
 * resource, the inputs after for a deleted one.
 */
export interface Change {
  readonly was: Inputs;
  readonly is: Inputs;
}

/** The effects of each operation on the users of a resource, for a review. */
export type Effects = Readonly<
  Partial<
    Record<
      "create" | "update" | "replace" | "delete",
      (change: Change) => Effect[]
    >
  >
>;

const effect =
  (risk: Effect["risk"]) =>
  (text: string): Effect => ({ risk, text });

export const low = effect("low");
export const medium = effect("medium");
export const high = effect("high");

/** The effect of a changed `status`: `off` if it is disabled now. */
export function switched(
  { was, is }: Change,
  off: Effect,
  on: Effect,
): Effect[] {
  if (was.status === is.status) return [];
  return [is.status === "disabled" ? off : on];
}

/** The host of an address, which alone may stand between backquotes, and has none itself. */
export function hostOf(url: unknown): string {
  if (url === UNKNOWN_TEXT) return "an address that is not known yet";
  const text = typeof url === "string" ? url : "";
  return (
    parseUrl(text)?.host.replaceAll("`", "%60") ?? "an address without a host"
  );
}
