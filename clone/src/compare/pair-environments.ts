import { ENVIRONMENT, KINDS } from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import { environmentOf, objectsOf } from "../read/workspace";
import { comparedValues, type TitleOf } from "./compared-object";
import { pairUp, type Pair } from "./pair-up";

/**
 * Gives the environments of two workspaces common names. These belong together: the two
 * default environments, two single environments, environments with the same ID, and
 * environments with the same name. If several have the same name, those with the same
 * keys, webhooks and rules are paired first, then those with the same settings, and
 * numbers are appended to the names, so that no two pairs have one name. Two remaining
 * environments with the same keys, webhooks and rules belong together, too: one was
 * renamed. A pair gets the name in `before`.
 */
export function pairEnvironments(
  before: Selection,
  after: Selection,
): { readonly before: TitleOf; readonly after: TitleOf } {
  const pairs = pairUp(
    environmentsOf(before),
    environmentsOf(after),
    // In one workspace, two environments that were chosen alone have two IDs.
    ({ id, title }) => (title === ALONE ? title : id),
    ({ title, contents, settings }) => `${title} ${contents} ${settings}`,
    ({ title, contents }) => `${title} ${contents}`,
    ({ title, settings }) => `${title} ${settings}`,
    ({ title }) => title,
    // Renamed, with the same contents.
    ({ id, contents }) => contents || id,
  );
  const names = new Set(pairs.map(nameOf));
  const taken = new Set<string>();
  const titles = {
    before: new Map<string, string>(),
    after: new Map<string, string>(),
  };
  for (const pair of pairs) {
    const { before: was, after: is } = pair;
    const name = nameOf(pair);
    let title = name;
    // Another environment may be called `Shop (2)`.
    for (let n = 2; taken.has(title) || (n > 2 && names.has(title)); n++)
      title = `${name} (${n})`;
    taken.add(title);
    if (was) titles.before.set(was.id, title);
    if (is) titles.after.set(is.id, title);
  }
  const titlesOf =
    (known: ReadonlyMap<string, string>): TitleOf =>
    (id) =>
      id ? (known.get(id) ?? id) : undefined;
  return { before: titlesOf(titles.before), after: titlesOf(titles.after) };
}

const nameOf = ({ before, after }: Pair<PairedEnvironment>) =>
  (before ?? after)?.title ?? "";

/** The title of an environment that was chosen alone. */
const ALONE = "the environment";

interface PairedEnvironment {
  readonly id: string;
  readonly title: string;
  /** Its keys, webhooks and rules, which not every environment has, as one text. */
  readonly contents: string;
  /** Its own fields as one text. */
  readonly settings: string;
}

function environmentsOf(selection: Selection): PairedEnvironment[] {
  const { workspace, only } = selection;
  const settings = new Map<string, string>();
  const contents = new Map<string | undefined, string[]>();
  for (const kind of KINDS)
    for (const object of objectsOf(workspace, kind)) {
      const { onePerEnvironment, clone } = kind.definition;
      const ruleFile = clone?.ruleFile;
      const content = ruleFile
        ? ruleFile.rules(object.outputs)
        : comparedValues(selection, kind, object);
      if (kind.kind === ENVIRONMENT)
        settings.set(object.id, JSON.stringify(content));
      // Every environment has itself, and a key.
      const isEverywhere = onePerEnvironment !== undefined && !ruleFile;
      if (kind.kind === ENVIRONMENT || isEverywhere) continue;
      const place = environmentOf(workspace, kind, object);
      const own = contents.get(place) ?? [];
      own.push(JSON.stringify([kind.kind, content]));
      contents.set(place, own);
    }
  return workspace.environments.map(({ id, name }) => ({
    id,
    title:
      id === only?.id
        ? ALONE
        : id === workspace.defaultEnvironment.id
          ? "the default environment"
          : name,
    contents: (contents.get(id) ?? []).toSorted().join(),
    settings: settings.get(id) ?? "",
  }));
}
