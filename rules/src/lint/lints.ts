import { allowChangesNothing } from "./allow-changes-nothing";
import { alwaysMatches } from "./always-matches";
import { denyAll } from "./deny-all";
import { duplicate } from "./duplicate";
import { headerNameCase } from "./header-name-case";
import type { Lint } from "./lint";
import { mayFail } from "./may-fail";
import { networkWithHostBits } from "./network-with-host-bits";
import { neverMatches } from "./never-matches";
import { originWithoutScheme } from "./origin-without-scheme";
import { overlappingNetworks } from "./overlapping-networks";
import { plainRegex } from "./plain-regex";
import { shadowed } from "./shadowed";
import { tooManyRules } from "./too-many-rules";
import { unreachable } from "./unreachable";

/** Every lint, in the order in which a rule's findings are shown; docs/lint.md is made from it. */
export const LINTS: readonly Lint[] = [
  denyAll,
  tooManyRules,
  neverMatches,
  unreachable,
  duplicate,
  shadowed,
  overlappingNetworks,
  allowChangesNothing,
  alwaysMatches,
  mayFail,
  originWithoutScheme,
  networkWithHostBits,
  headerNameCase,
  plainRegex,
];
