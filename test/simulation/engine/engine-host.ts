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

/** What a deployment works with. */
export interface EngineHost {
  provider(reference: string): Provider;
  /** Keeps the state that `snapshot` answers now. It never returns to an engine that is killed there. */
  save(snapshot: () => Snapshot): Promise<void>;
  print(text: string, urn?: string): void;
  /** Told of each step that is carried out. */
  onStep(op: string, urn: string): void;
}
