import { kindNamed, type CloneKind } from "../read/clone-kinds";
import { camel, SHORTEST_TAIL } from "./resource-names";

/** What the name of an output is made of. */
interface OutputOwner {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  /** ID of its environment; absent for an object of the whole workspace. */
  readonly environment?: string;
}

/** A stack output of a written program: a token or a key that applications need. */
export interface SecretOutput<R extends OutputOwner> {
  /** `stagingBrowserToken`: unique in the program, and an identifier. */
  readonly name: string;
  /** The output of the resource: `token`. */
  readonly field: string;
  readonly resource: R;
}

/**
 * The stack outputs of a program: each secret that a program reads, named by its
 * environment, its object and the field. `placeName` gives the name of an environment
 * by its ID. It is undefined in a program for one environment, because stack config can
 * replace that environment.
 */
export function secretOutputs<R extends OutputOwner>(
  resources: readonly R[],
  placeName: (environment: string) => string | undefined,
): SecretOutput<R>[] {
  const taken = new Set<string>();
  return resources.flatMap((resource) => {
    const kind = kindNamed(resource.kind);
    const place =
      resource.environment === undefined
        ? undefined
        : placeName(resource.environment);
    return (kind?.credentials ?? []).map((field) => {
      const words = [wordsOf(resource, kind, place), kebab(field)].join("-");
      const letters = resource.id.replace(/[^A-Za-z0-9]/g, "");
      let name = camel(words);
      for (let tail = SHORTEST_TAIL; taken.has(name); tail++)
        name = `${camel(words)}${letters.slice(-tail)}`;
      taken.add(name);
      return { name, field, resource };
    });
  });
}

/** The words for an object: `staging-browser`. */
function wordsOf(
  { name }: OutputOwner,
  kind: CloneKind | undefined,
  place: string | undefined,
): string {
  const isOnly = kind?.definition.onePerEnvironment !== undefined;
  const own = isOnly ? kebab(kind?.definition.singular ?? "") : name;
  const isNamed = own === place || own.startsWith(`${place}-`);
  return place === undefined || isNamed ? own : `${place}-${own}`;
}

const kebab = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll(" ", "-")
    .toLowerCase();
