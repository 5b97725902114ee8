import { containsPath, parsePath } from "./property-path";
import type { Difference } from "./provider";

/** Whether a difference replaces the resource. */
export const isReplacement = ({ replaces, detailed = {} }: Difference) =>
  replaces.length > 0 || Object.values(detailed).some(Boolean);

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
    ...(found.detailed && {
      detailed: Object.fromEntries(
        Object.entries(found.detailed).map(([path, replaces]) => [
          path,
          replaces || matches(path),
        ]),
      ),
    }),
  };
}
