import type { Provider } from "./provider";
import type { Snapshot } from "./resource";

/** The options of a command. */
export interface DeploymentOptions {
  readonly isPreview?: boolean;
  readonly isDestroy?: boolean;
  /** Reads every object first. */
  readonly refresh?: "only" | "first" | undefined;
  /** Runs the program in a refresh and a destroy, too; a refresh within an update reads each object when the program declares it. */
  readonly runsProgram?: boolean;
  readonly continueOnError?: boolean;
  /** URNs. */
  readonly targets?: readonly string[] | undefined;
  readonly excludes?: readonly string[] | undefined;
  readonly replaces?: readonly string[] | undefined;
  readonly targetDependents?: boolean;
}

/** The environment of a deployment. */
export interface EngineHost {
  provider(reference: string): Provider;
  /**
   * Stores the state that `snapshot` returns now. If the engine is killed at this
   * point, the promise never settles.
   */
  save(snapshot: () => Snapshot): Promise<void>;
  print(text: string, urn?: string): void;
  /** Called for each step that is carried out. */
  onStep(op: string, urn: string): void;
}
