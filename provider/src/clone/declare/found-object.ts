import type { Rule } from "@devid/sdk";
import type { CodeValue } from "./code";
import type { DeclaredKind } from "./declared-resource";
import type { ResourceName } from "./resource-names";

/** A rule file of a written program. */
export interface DeclaredRuleFile {
  /** Its path in the program, `rules/default.yaml`. */
  readonly path: string;
  readonly rules: readonly Rule[];
}

/** An object of a workspace, as one of the program's resources would declare it. */
export interface FoundObject extends ResourceName {
  readonly kind: DeclaredKind;
  /** What it is, in words: `API key`. */
  readonly what: string;
  readonly id: string;
  /** What it is called in the service. */
  readonly title: string;
  /** Arguments as the service has them: null and absent are alike, defaults are not left out yet. */
  readonly args: Readonly<Record<string, CodeValue | null | undefined>>;
  /** Inputs that stand in state and not in the program; they take the place of `rulesFile`. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Outputs that the service adds. */
  readonly computed: Readonly<Record<string, unknown>>;
  /** ID of the environment that `environment` refers to. */
  readonly environmentId?: string | null;
  readonly ruleFile?: DeclaredRuleFile;
  /** Why no program can declare it, as the end of a sentence. */
  readonly obstacle?: string;
}
