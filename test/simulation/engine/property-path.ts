import { isSecretValue, secretValue } from "./property-value";

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
 * the engine). Returns false if that is not possible.
 */
export function resetPath(
  path: PropertyPath,
  olds: Json,
  news: Json,
  wasSecret = false,
  isSecret = false,
): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return false;
  if (isSecretValue(olds)) {
    olds = olds.value;
    wasSecret = true;
  }
  if (isSecretValue(news)) {
    news = news.value;
    isSecret = true;
  }
  const kept = (value: Json) =>
    wasSecret && !isSecret ? secretValue(value) : value;
  const next = (a: Json, b: Json) => resetPath(rest, a, b, wasSecret, isSecret);
  if (typeof key === "number") {
    if (!Array.isArray(olds) || !Array.isArray(news))
      return !Array.isArray(olds) && !Array.isArray(news);
    if (rest.length === 0 && key >= olds.length && key >= news.length)
      return true;
    if (key >= olds.length || key >= news.length) return false;
    if (rest.length > 0) return next(olds[key], news[key]);
    news[key] = kept(olds[key]);
    return true;
  }
  if (key === "*") return resetAll(rest, olds, news, kept, next);
  if (rest.length === 0) {
    if (isObject(olds) && key in olds) {
      if (!isObject(news)) return false;
      news[key] = kept(olds[key]);
    } else if (isObject(news)) delete news[key];
    return true;
  }
  if (!isObject(olds) || !isObject(news))
    return !isObject(olds) && !isObject(news);
  if (key in olds && !(key in news)) return false;
  if (!(key in olds) && !(key in news)) return true;
  return next(olds[key], news[key]);
}

function resetAll(
  rest: PropertyPath,
  olds: Json,
  news: Json,
  kept: (value: Json) => Json,
  next: (olds: Json, news: Json) => boolean,
): boolean {
  if (rest.length === 0) {
    if (isObject(news)) {
      if (!isObject(olds)) return true;
      for (const name of Object.keys(olds)) news[name] = kept(olds[name]);
      for (const name of Object.keys(news))
        if (!(name in olds)) delete news[name];
      return true;
    }
    if (!Array.isArray(news)) return false;
    if (!Array.isArray(olds)) return true;
    for (let at = 0; at < Math.min(olds.length, news.length); at++)
      news[at] = kept(olds[at]);
    return olds.length === news.length;
  }
  if (isObject(olds) && isObject(news)) {
    const both = news;
    return Object.entries(olds).every(
      ([name, value]) => name in both && next(value, both[name]),
    );
  }
  if (!Array.isArray(olds) || !Array.isArray(news)) return false;
  for (let at = 0; at < Math.min(olds.length, news.length); at++)
    if (!next(olds[at], news[at])) return false;
  return olds.length === news.length;
}

const isObject = (value: Json): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
