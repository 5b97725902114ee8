import type { IdentificationBody } from "../agent/identification-wire";
import type { Event } from "@devid/sdk";
import type { z } from "zod";
import type { ApiKeyRow } from "../store/api-keys";
import type { CanonicalHeaders } from "./canonical-headers";

/** A request to identify a visitor, however it came. */
export interface Visit {
  /** The public key that it came with, admitted. */
  readonly key: ApiKeyRow;
  readonly headers: CanonicalHeaders;
  /** Address that it came from, if that is known. */
  readonly ip: string | undefined;
  /** What the agent sent; an app has no `url`. */
  readonly sent: Omit<z.output<typeof IdentificationBody>, "url"> & {
    readonly url?: string | undefined;
  };
  /** Members of its event that only a control call can tell, such as `emulator`. */
  readonly told?: Partial<Event> | undefined;
}

/** The first value of a header. */
export function headerOf({ headers }: Visit, name: string): string | undefined {
  return headers[name]?.[0];
}
