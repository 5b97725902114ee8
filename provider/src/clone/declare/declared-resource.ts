import type { CodeValue, ResourceCode } from "./code";

/** Kinds of resource in a written program, in the order in which they are declared. */
export const DECLARED_KINDS = [
  "Environment",
  "ApiKey",
  "Webhook",
  "EncryptionKey",
  "FilteringRuleSet",
] as const;

/** One of them. */
export type DeclaredKind = (typeof DECLARED_KINDS)[number];

/** A resource as the program declares it, and as the state has it when it was taken over. */
export interface DeclaredResource extends ResourceCode {
  readonly kind: DeclaredKind;
  readonly id: string;
  /** What it is called in the service. */
  readonly title: string;
  readonly args: Readonly<Record<string, CodeValue>>;
  /** Inputs in the form of the state. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Outputs in the form of the state; no secret is among them. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Name of the declared environment that `environment` refers to. */
  readonly environment?: string;
}
