/** A JSON object of an answer. */
export type Fields = Record<string, unknown> & { readonly id: string };

interface ErrorFields {
  readonly code: string;
  readonly message: string;
  readonly violations?: {
    readonly property: string;
    readonly message: string;
  }[];
}

/** An answer of the service. Its parts have the types that tests expect. */
export class Answer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
  ) {}

  get body(): unknown {
    return JSON.parse(this.text) as unknown;
  }

  get data(): Fields {
    return this.member("data") as Fields;
  }

  get list(): Fields[] {
    return this.member("data") as Fields[];
  }

  get ids(): string[] {
    return this.list.map(({ id }) => id);
  }

  get pagination(): Record<string, string | null> {
    const metadata = this.member("metadata") as {
      pagination: Record<string, string | null>;
    };
    return metadata.pagination;
  }

  get error(): ErrorFields {
    return this.member("error") as ErrorFields;
  }

  /** The properties that the violations name, sorted. */
  get violated(): string[] {
    return (this.error.violations ?? []).map(({ property }) => property).sort();
  }

  get refusal(): [status: number, code: string] {
    return [this.status, this.error.code];
  }

  get violation(): [status: number, violated: string[]] {
    return [this.status, this.violated];
  }

  private member(name: string): unknown {
    const { [name]: found } = this.body as Record<string, unknown>;
    if (found === undefined)
      throw new Error(`${this.status} without ${name}: ${this.text}`);
    return found;
  }
}
