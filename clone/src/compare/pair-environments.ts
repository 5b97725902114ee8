import type { Selection } from "../read/selection";
import { environmentOf, objectsOf, titleOf } from "../read/workspace";
import { comparedFields, type TitleOf } from "./compared-object";
import { pairUp, type Pair } from "./pair-up";

/**
 * Gives the environments of two workspaces common names. These belong together: the two
 * default environments, two single environments, environments with the same ID, and
 * environments with the same name. If several have the same name, those with most
 * contents in common are paired, and numbers are appended to the names. Two remaining
 * environments are paired if most of their contents are equal: one was renamed, and the
 * pair gets the name in `before`.
 */
export function pairEnvironments(
  before: Selection,
  after: Selection,
): { readonly before: TitleOf; readonly after: TitleOf } {
  const pairs = pairsOf(environmentsOf(before), environmentsOf(after));
  const counts = new Map<string, number>();
  const titles = {
    before: new Map<string, string>(),
    after: new Map<string, string>(),
  };
  for (const { before: was, after: is } of pairs) {
    const key = (was ?? is)?.title ?? "";
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const title = count === 1 ? key : `${key} (${count})`;
    if (was) titles.before.set(was.id, title);
    if (is) titles.after.set(is.id, title);
  }
  const titlesOf =
    (known: ReadonlyMap<string, string>): TitleOf =>
    (id) =>
      id ? (known.get(id) ?? id) : undefined;
  return { before: titlesOf(titles.before), after: titlesOf(titles.after) };
}

/** The title of an environment that was chosen alone. */
const ALONE = "the environment";

interface PairedEnvironment {
  readonly id: string;
  readonly title: string;
  /** One text for each object in the environment, and one for the environment itself. */
  readonly contents: readonly string[];
  /** The texts of keys, webhooks and rules, which not every environment has. */
  readonly ownContents: readonly string[];
}

type Environments = readonly PairedEnvironment[];

/** The pairs in the order of `before`; environments that only `after` has follow. */
function pairsOf(
  before: Environments,
  after: Environments,
): Pair<PairedEnvironment>[] {
  const matches = new Map<PairedEnvironment, PairedEnvironment>();
  const leftOf = (all: Environments, matched: Iterable<PairedEnvironment>) => {
    const done = new Set(matched);
    return all.filter((one) => !done.has(one));
  };
  const match = (
    key: (one: PairedEnvironment) => string,
    likeness: (a: PairedEnvironment, b: PairedEnvironment) => number,
    least?: number,
  ) => {
    const found = pairUp(
      leftOf(before, matches.keys()),
      leftOf(after, matches.values()),
      key,
      likeness,
      least,
    );
    for (const { before: was, after: is } of found)
      if (was && is) matches.set(was, is);
  };
  match(
    // In one workspace, two environments that were chosen alone have two IDs.
    ({ id, title }) => (title === ALONE ? title : id),
    () => 0,
  );
  match(
    ({ title }) => title,
    (a, b) => inCommon(a.contents, b.contents),
  );
  match(() => "renamed", sameness, MOSTLY_SAME);
  return [
    ...before.map((was) => ({ before: was, after: matches.get(was) })),
    ...leftOf(after, matches.values()).map((is) => ({ after: is })),
  ];
}

/**
 * From this share of equal contents on, two environments count as one renamed
 * environment.
 */
const MOSTLY_SAME = 0.5;

/** The share of equal contents, 0 to 1. */
function sameness(a: PairedEnvironment, b: PairedEnvironment): number {
  const most = Math.max(a.ownContents.length, b.ownContents.length);
  return most === 0 ? 0 : inCommon(a.ownContents, b.ownContents) / most;
}

function environmentsOf(selection: Selection): PairedEnvironment[] {
  const { workspace, only } = selection;
  const contents = contentsByEnvironment(selection);
  return workspace.environments.map(({ id, name }) => {
    const own = contents.get(id) ?? [];
    return {
      id,
      title:
        id === only?.id
          ? ALONE
          : id === workspace.defaultEnvironment.id
            ? "the default environment"
            : name,
      contents: own.map(({ text }) => text),
      ownContents: own
        .filter(({ isEverywhere }) => !isEverywhere)
        .map(({ text }) => text),
    };
  });
}

interface Content {
  readonly text: string;
  /**
   * Whether every environment has such an object. It then says little about the
   * environment.
   */
  readonly isEverywhere: boolean;
}

function contentsByEnvironment(
  selection: Selection,
): ReadonlyMap<string | undefined, readonly Content[]> {
  const { workspace, kinds } = selection;
  const contents = new Map<string | undefined, Content[]>();
  for (const kind of kinds)
    for (const object of objectsOf(workspace, kind)) {
      const place = environmentOf(workspace, kind, object);
      const { onePerEnvironment, clone } = kind.definition;
      const ruleFile = clone?.ruleFile;
      const title = onePerEnvironment ?? titleOf(workspace, kind, object);
      const texts = ruleFile
        ? ruleFile.rules(object.outputs).map((r) => [r.name, r.expression])
        : [[kind.kind, title, comparedFields(selection, kind, object)]];
      const isEverywhere =
        place === object.id || (onePerEnvironment !== undefined && !ruleFile);
      const own = contents.get(place) ?? [];
      own.push(
        ...texts.map((text) => ({ text: JSON.stringify(text), isEverywhere })),
      );
      contents.set(place, own);
    }
  return contents;
}

/** The number of texts that two lists have in common. */
function inCommon(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  return a.filter((text) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  }).length;
}
