import { containsPath, parsePath } from "./property-path";
import type { Difference } from "./provider";

/** Whether a difference replaces the resource. */
export const isReplacement = ({ replaces, properties = {} }: Difference) =>
  replaces.length > 0 ||
  Object.values(properties).some((kind) => kind.endsWith(REPLACE));

const REPLACE = "_replace";

/** Applies the option `replaceOnChanges` to a difference. */
export function withReplaceOnChanges(
  found: Difference,
  paths: readonly string[],
  hasInitErrors: boolean,
): Difference {
  if (!found.changes && !hasInitErrors) return found;
  const parsed = paths.map((path) => parsePath(path) ?? []);
  const matches = (text: string) => {
    const path = parsePath(text);
    return path !== undefined && parsed.some((one) => containsPath(one, path));
  };
  const keys = new Set(found.replaces);
  for (const key of found.changedKeys ?? []) if (matches(key)) keys.add(key);
  const isInit = hasInitErrors && matches("#initerror");
  if (isInit) keys.add("#initerror");
  return {
    ...found,
    changes: found.changes || isInit,
    replaces: [...keys],
    ...(found.properties && {
      properties: Object.fromEntries(
        Object.entries(found.properties).map(([path, kind]) => [
          path,
          matches(path) ? kind + REPLACE : kind,
        ]),
      ),
    }),
  };
}
