import type { z } from "zod";
import type { CallOptions } from "../http/call-options";
import { pathSegment } from "../path-segment";
import type { ManagementApi, ManagementCall, RecordOf } from "./management-api";

/** What the objects of a collection are called, where they are, and what they look like. */
export interface RecordSpec<R extends z.ZodObject> {
  /** Under the management URL: `/api-keys`. */
  readonly path: string;
  /** For messages: `API key`. */
  readonly singular: string;
  readonly record: R;
}

/** The calls of single objects that the collections of the management API have in common. */
export abstract class RecordCalls<R extends z.ZodObject> {
  constructor(
    protected readonly api: ManagementApi,
    protected readonly spec: RecordSpec<R>,
  ) {}

  /** Makes an object. */
  protected createOne(
    label: string,
    body: ManagementCall["body"],
    options?: CallOptions,
  ): Promise<RecordOf<R>> {
    return this.api.one(this.spec.record, {
      operation: `Creating ${this.spec.singular} ${label}`,
      method: "POST",
      path: this.spec.path,
      body,
      ...options,
    });
  }

  /** Makes a call of one object and answers it; `verb` is for messages. */
  protected callOne(
    verb: string,
    id: string,
    call: Partial<Omit<ManagementCall, "path">> & { readonly action?: string },
    options?: CallOptions,
  ): Promise<RecordOf<R>> {
    const { action, ...rest } = call;
    const operation = `${verb} ${this.spec.singular} ${id}`;
    return this.api.one(this.spec.record, {
      operation,
      path: this.#at(id, operation) + (action ? `/${action}` : ""),
      ...rest,
      ...options,
    });
  }

  /** Deletes an object. */
  protected async deleteOne(id: string, options?: CallOptions): Promise<void> {
    const operation = `Deleting ${this.spec.singular} ${id}`;
    await this.api.call({
      operation,
      method: "DELETE",
      goneStatus: 404,
      path: this.#at(id, operation),
      ...options,
    });
  }

  #at(id: string, operation: string): string {
    return `${this.spec.path}/${pathSegment(id, "id", operation)}`;
  }
}
