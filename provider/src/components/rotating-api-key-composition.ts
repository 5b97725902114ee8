import type { Composition } from "../definition/define-component";
import { nameOfUrn } from "../definition/engine-names";

/**
 * The advice of messages if the token of a generation is unknown, for example after a
 * killed update: see `requireOutputs`. A RotatingApiKey has no `rotation`, but a new
 * generation makes a new key.
 */
const LOST_GENERATION =
  "the service shows a token only when it creates the key. Either that answer did not arrive, or this stack did not create the key. If nobody uses the key, replace this generation by another text: the next update creates a new key and deletes this one. If it is the only generation, or the key is in use, add a generation after it instead.";

/** The keys of a `RotatingApiKey`: one for each generation. Its outputs are those of the last one. */
export const rotatingApiKeyComposition: Composition = {
  partKind: "ApiKey",
  member: "keys",
  validate({ generations }) {
    const reason = objectionToGenerations(generations as string[]);
    return reason === undefined ? [] : [{ property: "generations", reason }];
  },
  warning(urn, { generations }, inState) {
    return objectionToGap(urn, generations as string[], inState);
  },
  parts(name, { name: start, generations, ...inputs }, { withText, bare }) {
    const all = generations as readonly string[];
    return all.map((generation) => ({
      name: keyOfGeneration(name, generation),
      label: generation,
      inputs: {
        ...inputs,
        name: withText(start, (text) => `${text} ${generation}`),
      },
      // An ApiKey's own advice is a new `rotation`, an input that this component does
      // not have.
      ...(bare(inputs.type) !== "public" && {
        absences: { token: LOST_GENERATION },
      }),
      ...(generation === all.at(-1) && {
        outputs: { keyId: "id", token: "token" },
      }),
    }));
  },
};

/**
 * Why the generations of a RotatingApiKey are refused: the end of a sentence that
 * begins with the component. Undefined if they are valid.
 */
function objectionToGenerations(
  generations: readonly string[],
): string | undefined {
  if (generations.length === 0)
    return "has no generation; to delete its last key, remove the whole component from the program";
  const twice = generations.find(
    (generation, index) => generations.indexOf(generation) !== index,
  );
  if (twice !== undefined)
    return `has the generation "${twice}" twice; each generation is one key`;
  return generations.includes("")
    ? "has a generation without a name"
    : undefined;
}

/**
 * The warning of a preview if an update would keep no key of a RotatingApiKey: all
 * tokens in use would stop at once. Undefined if a key stays, or if there was none.
 * @param urn of the component
 * @param inState URNs of the resources that the state of the stack has
 */
function objectionToGap(
  urn: string,
  generations: readonly string[],
  inState: readonly string[],
): string | undefined {
  if (!inState.includes(urn)) return undefined;
  const component = nameOfUrn(urn);
  const below = urn.slice(0, -`::${component}`.length) + "$";
  const start = keyOfGeneration(component, "");
  const before = inState.flatMap((one) => {
    const name = nameOfUrn(one);
    const isKey = one.startsWith(below) && name.startsWith(start);
    return isKey ? [name.slice(start.length)] : [];
  });
  if (before.length === 0 || before.some((one) => generations.includes(one)))
    return undefined;
  const list = (texts: readonly string[]) =>
    texts.map((text) => JSON.stringify(text)).join(", ");
  return (
    `The RotatingApiKey "${component}" keeps none of its present generations (${list(before)}), so this update deletes every key that is in use. ` +
    `To rotate without an outage, add the new generation after the old one, [${list([...before, ...generations])}], and remove the old one once everything uses the new token.`
  );
}

/** Name of a generation's key in the program, and so in its URN; the same in every language. */
export const keyOfGeneration = (component: string, generation: string) =>
  `${component}-${generation}`;
