import type { World } from "./world";

const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;
/** An ID, a token, a signing key or a claim, at the end of a text. */
const RANDOM =
  /(?<=["\s])(?:(?:ae|tok|ek|tr|wh)_\w{16}|\w{20}|\w{32}|[\da-f-]{36}|[\w-]{43}|[\w+/]{43}=)(?="(?!:))/g;

/**
 * A text that is equal for two worlds if the rest of a story is the same in both. It
 * holds the objects of the service, every state, and the memory of the oracle. Random
 * texts are numbered in the order in which they appear. Times are numbered in ascending
 * order.
 */
export function fingerprint(world: World): string {
  const whole = JSON.stringify({
    stacks: [...world.stacks.values()],
    isStale: world.isStale,
    memory: world.oracle.remembered,
  });
  const moments = [...whole.matchAll(TIME)].map(([time]) => Date.parse(time));
  const inOrder = [...new Set(moments)].sort((a, b) => a - b);
  const rank = new Map(inOrder.map((moment, at) => [moment, at]));
  const numbers = new Map<string, number>();
  const numbered = (text: string) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  return whole
    .replace(TIME, (time) => `time ${rank.get(Date.parse(time))}`)
    .replace(RANDOM, (text) => `random ${numbered(text)}`);
}
