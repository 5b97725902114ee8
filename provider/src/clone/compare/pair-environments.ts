import type { Environment } from "@devid/sdk";
import { pairUp } from "./pair-up";
import type { Selection } from "../read/selection";

/** What the environment of an ID is called where workspaces are compared; nothing for no environment. */
export type TitleOf = (id: string | null | undefined) => string | undefined;

/**
 * Calls the environments of two workspaces the same where they are the same:
 * the default ones, two that alone were chosen, and those of one name. Where
 * several have a name, those that hold most in common belong together, and a
 * number tells them apart.
 */
export function pairEnvironments(
  before: Selection,
  after: Selection,
): { readonly before: TitleOf; readonly after: TitleOf } {
  const left = environmentsOf(before);
  const right = environmentsOf(after);
  const pairs = pairUp(left, right, keyOf, (a, b) =>
    inCommon(a.contents, b.contents),
  );
  const counts = new Map<string, number>();
  const titles = {
    before: new Map<string, string>(),
    after: new Map<string, string>(),
  };
  for (const { before: was, after: is } of pairs) {
    const key = was ? keyOf(was) : is ? keyOf(is) : "";
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const title = count === 1 ? key : `${key} (${count})`;
    if (was) titles.before.set(was.id, title);
    if (is) titles.after.set(is.id, title);
  }
  const titleOf =
    (known: ReadonlyMap<string, string>): TitleOf =>
    (id) =>
      id ? (known.get(id) ?? id) : undefined;
  return { before: titleOf(titles.before), after: titleOf(titles.after) };
}

interface PairedEnvironment {
  readonly id: string;
  readonly title: string;
  /** A text for each object in it, and for itself. */
  readonly contents: readonly string[];
}

const keyOf = ({ title }: PairedEnvironment) => title;

function environmentsOf(selection: Selection): PairedEnvironment[] {
  const { workspace, only } = selection;
  return workspace.environments.map((found) => ({
    id: found.id,
    title:
      found.id === only?.id
        ? "the environment"
        : found.id === workspace.defaultEnvironment.id
          ? "the default environment"
          : found.name,
    contents: contentsOf(selection, found),
  }));
}

function contentsOf(
  { workspace }: Selection,
  { id, description, limitMode, limitValue }: Environment,
): string[] {
  const inIt = <T extends { readonly environment?: string | null }>(
    records: readonly T[],
  ) => records.filter(({ environment }) => environment === id);
  return [
    [description, limitMode, limitValue],
    ...inIt(workspace.apiKeys).map((key) => [
      key.name,
      key.type,
      key.description,
      key.status,
      key.rateLimit,
    ]),
    ...inIt(workspace.webhooks).map((webhook) => [
      webhook.url,
      webhook.description,
      webhook.status,
    ]),
    ...inIt(workspace.encryptionKeys).map((key) => [
      key.name,
      key.description,
      key.status,
    ]),
    ...inIt(workspace.ruleSets).flatMap(({ rules }) =>
      rules.map(({ name, expression }) => [name, expression]),
    ),
  ].map((parts) => JSON.stringify(parts.map((part) => part ?? null)));
}

/** How many texts two lists share. */
function inCommon(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  return a.filter((text) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  }).length;
}
