import type { Selection } from "../read/selection";
import { environmentOf, objectsOf, titleOf } from "../read/workspace";
import { comparedFields, type TitleOf } from "./compared-object";
import { pairUp } from "./pair-up";

/**
 * Gives the environments of two workspaces common names. The two default
 * environments belong together, as do two environments that were chosen alone, and
 * those with equal names. Of several with one name, those with most contents in
 * common belong together, and numbers are appended to the names.
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
  const titlesOf =
    (known: ReadonlyMap<string, string>): TitleOf =>
    (id) =>
      id ? (known.get(id) ?? id) : undefined;
  return { before: titlesOf(titles.before), after: titlesOf(titles.after) };
}

interface PairedEnvironment {
  readonly id: string;
  readonly title: string;
  /** One text for each object in the environment, and one for the environment itself. */
  readonly contents: readonly string[];
}

const keyOf = ({ title }: PairedEnvironment) => title;

function environmentsOf(selection: Selection): PairedEnvironment[] {
  const { workspace, only } = selection;
  const contents = contentsByEnvironment(selection);
  return workspace.environments.map(({ id, name }) => ({
    id,
    title:
      id === only?.id
        ? "the environment"
        : id === workspace.defaultEnvironment.id
          ? "the default environment"
          : name,
    contents: contents.get(id) ?? [],
  }));
}

function contentsByEnvironment(
  selection: Selection,
): ReadonlyMap<string | undefined, readonly string[]> {
  const { workspace, kinds } = selection;
  const contents = new Map<string | undefined, string[]>();
  for (const kind of kinds)
    for (const object of objectsOf(workspace, kind)) {
      const place = environmentOf(workspace, kind, object);
      const { ruleFile, onePerEnvironment } = kind.definition.clone ?? {};
      const title = onePerEnvironment ?? titleOf(workspace, kind, object);
      const texts = ruleFile
        ? ruleFile.rules(object.outputs).map((r) => [r.name, r.expression])
        : [[kind.kind, title, comparedFields(selection, kind, object)]];
      const own = contents.get(place) ?? [];
      own.push(...texts.map((text) => JSON.stringify(text)));
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
