import type { Region } from "@devid/sdk";

/** What a program needs to use one workspace. */
export interface Workspace {
  readonly managementKey: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** ID of the default environment. */
  readonly environment: string;
}

/** A running local service. */
export interface Service {
  /** Origin to call, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly workspaces: Readonly<Record<Region, Workspace>>;
  /** Finishes what is under way, for at most 5 s, and stops. May be called again. */
  close(): Promise<void>;
}
