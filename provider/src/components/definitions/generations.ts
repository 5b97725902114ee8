/** Why the generations of a RotatingApiKey are refused, as the end of a sentence that names it; undefined where they are not. */
export function objectionToGenerations(
  generations: readonly string[],
): string | undefined {
  if (generations.length === 0)
    return "has no generation; its last key is deleted by taking the whole of it out of the program";
  const twice = generations.find(
    (generation, index) => generations.indexOf(generation) !== index,
  );
  if (twice !== undefined)
    return `has the generation "${twice}" twice; each is one key`;
  return generations.includes("")
    ? "has a generation without a name"
    : undefined;
}

/** What the key of a generation is called in the program, and so in its URN, whatever language that is in. */
export const keyOfGeneration = (component: string, generation: string) =>
  `${component}-${generation}`;
