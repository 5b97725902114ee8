/**
 * Why the generations of a RotatingApiKey are refused: the end of a sentence that
 * begins with the component. Undefined if they are valid.
 */
export function objectionToGenerations(
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
export function objectionToGap(
  urn: string,
  generations: readonly string[],
  inState: readonly string[],
): string | undefined {
  if (!inState.includes(urn)) return undefined;
  const [stack, project, type, ...rest] = urn.split("::");
  const component = rest.join("::");
  const below = [stack, project, `${type}$`].join("::");
  const start = `::${keyOfGeneration(component, "")}`;
  const before = inState.flatMap((one) => {
    const at = one.indexOf("::", below.length);
    const isKey = one.startsWith(below) && one.startsWith(start, at);
    return isKey ? [one.slice(at + start.length)] : [];
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

/**
 * The advice of messages if the token of a generation is unknown, for example after a
 * killed update: see `requireOutputs`. A RotatingApiKey has no `rotation`, but a new
 * generation makes a new key.
 */
export const LOST_GENERATION =
  "the service shows a token only when it creates the key. Either that answer did not arrive, or this stack did not create the key. If nobody uses the key, replace this generation by another text: the next update creates a new key and deletes this one. If it is the only generation, or the key is in use, add a generation after it instead.";

/** Name of a generation's key in the program, and so in its URN; the same in every language. */
export const keyOfGeneration = (component: string, generation: string) =>
  `${component}-${generation}`;
