import { isSecretValue } from "./property-value";

/** The keys and indexes of a path; `*` stands for all. */
export type PropertyPath = readonly (string | number)[];

type Json = unknown;
type Members = Record<string, Json>;

/** Reads a path as Pulumi writes it: `rules[0].name`, `rules["a b"].expression`, `rules.*`. */
export function parsePath(text: string): PropertyPath | undefined {
  const path: (string | number)[] = [];
  const part = /\.?([^.[\]"]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]/gy;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (!match) return undefined;
    const [, name, quoted, index] = match;
    if (index !== undefined) path.push(index === "*" ? "*" : Number(index));
    else path.push(name ?? (quoted ?? "").replace(/\\(.)/g, "$1"));
  }
  return path;
}

/** Whether `path` equals `other` or is a prefix of it. */
export function containsPath(path: PropertyPath, other: PropertyPath): boolean {
  return (
    other.length >= path.length &&
    path.every((key, at) => key === "*" || key === other[at])
  );
}

/**
 * Resets the value at a path in `news` to the value in `olds` (`PropertyPath.Reset` of
 * the engine). Returns false if that is not possible. A state has rules by their names, so
 * no path of a story leads into a secret, or into lists on both sides.
 */
export function resetPath(path: PropertyPath, olds: Json, news: Json): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return false;
  if (isSecretValue(olds) || isSecretValue(news))
    throw new Error("The model resets no part of a secret.");
  if (Array.isArray(olds) && Array.isArray(news))
    throw new Error("The model resets no element of a list.");
  if (typeof key === "number")
    return !Array.isArray(olds) && !Array.isArray(news);
  if (key === "*") return resetAll(rest, olds, news);
  if (rest.length === 0) {
    if (isObject(olds) && key in olds) {
      if (!isObject(news)) return false;
      news[key] = olds[key];
    } else if (isObject(news)) delete news[key];
    return true;
  }
  if (!isObject(olds) || !isObject(news))
    return !isObject(olds) && !isObject(news);
  if (key in olds && !(key in news)) return false;
  if (!(key in olds) && !(key in news)) return true;
  return resetPath(rest, olds[key], news[key]);
}

function resetAll(rest: PropertyPath, olds: Json, news: Json): boolean {
  if (rest.length === 0) {
    if (!isObject(news)) return Array.isArray(news);
    if (!isObject(olds)) return true;
    for (const name of Object.keys(olds)) news[name] = olds[name];
    for (const name of Object.keys(news))
      if (!(name in olds)) delete news[name];
    return true;
  }
  return (
    isObject(olds) &&
    isObject(news) &&
    Object.entries(olds).every(
      ([name, value]) => name in news && resetPath(rest, value, news[name]),
    )
  );
}

const isObject = (value: Json): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
