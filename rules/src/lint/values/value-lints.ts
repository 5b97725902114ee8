import { ADDRESS_VALUES } from "./addresses";
import { HEADER_FORM_VALUES } from "./header-forms";
import { OPEN_ORIGIN_VALUES } from "./open-origins";
import { ORIGIN_VALUES } from "./origins";
import { PACKAGE_VALUES } from "./packages";
import { PATTERN_VALUES } from "./patterns";
import { PATTERN_FORM_VALUES } from "./pattern-forms";
import { REFERER_VALUES } from "./referers";
import { TEXT_VALUES } from "./texts";
import { USER_AGENT_VALUES } from "./user-agents";
import { VERSION_VALUES } from "./versions";
import { VOCABULARY_VALUES } from "./vocabularies";
import { LEFT_OVER_VALUES } from "./left-overs";
import { asLint, type ValueLint } from "./value-lint";
import type { LintRow } from "../set/lint";

/** The table of values that no client sends, or that match more than they should. */
const VALUES: Readonly<Record<string, ValueLint>> = {
  ...VOCABULARY_VALUES,
  ...ORIGIN_VALUES,
  ...OPEN_ORIGIN_VALUES,
  ...REFERER_VALUES,
  ...HEADER_FORM_VALUES,
  ...PATTERN_VALUES,
  ...PATTERN_FORM_VALUES,
  ...VERSION_VALUES,
  ...USER_AGENT_VALUES,
  ...TEXT_VALUES,
  ...PACKAGE_VALUES,
  ...LEFT_OVER_VALUES,
  ...ADDRESS_VALUES,
};

/** The lints of the table. */
export const VALUE_LINTS: Readonly<Record<string, LintRow>> =
  Object.fromEntries(
    Object.entries(VALUES).map(([code, row]) => [code, asLint(row)]),
  );
