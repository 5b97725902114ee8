import type { Placement } from "@devid/sdk/wire";
import type { z } from "zod";

/**
 * The list with the item put where the placement says (docs/contract.md,
 * "Placement"): `position` counts from 0 and is the end when beyond it; no
 * placement is the end. `after` and `before` name items of the list; one that
 * is not in it is the end too, for callers refuse it first.
 */
export function placed(
  list: readonly string[],
  item: string,
  { position, after, before }: z.output<typeof Placement>,
): string[] {
  const index =
    position !== undefined
      ? Math.min(position, list.length)
      : after !== undefined && list.includes(after)
        ? list.indexOf(after) + 1
        : before !== undefined && list.includes(before)
          ? list.indexOf(before)
          : list.length;
  return [...list.slice(0, index), item, ...list.slice(index)];
}
