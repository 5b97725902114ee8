/**
 * An answer that is JSON already: stored records, which were checked when they
 * were stored. It is sent as it is, past the schema of the operation's answer.
 */
export class JsonText {
  constructor(readonly text: string) {}
}
