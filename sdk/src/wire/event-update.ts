import * as z from "zod";

/** Bound of `linked_id`: 256 characters (docs/assumptions.md, A53). */
export const LINKED_ID_MAX_LENGTH = 256;

/** Bound of `tags`: 16 KB of JSON in UTF-8 (docs/assumptions.md, A53, A79). */
export const TAGS_MAX_BYTES = 16 * 1024;

/** `linked_id` as it is sent. */
export const LinkedId = z
  .string()
  .max(
    LINKED_ID_MAX_LENGTH,
    `can't be greater than ${LINKED_ID_MAX_LENGTH} characters long`,
  );

/** `tags` as they are sent. They replace all tags of the event. */
export const Tags = z
  .record(z.string(), z.unknown())
  .superRefine((tags, context) => {
    try {
      if (Buffer.byteLength(JSON.stringify(tags)) <= TAGS_MAX_BYTES) return;
      context.addIssue(`must be at most ${TAGS_MAX_BYTES} bytes of JSON`);
    } catch (error) {
      const [reason = ""] = (error as Error).message.split("\n");
      context.addIssue(`cannot be written as JSON: ${reason}`);
    }
  });

/**
 * Body of `PATCH /events/{event_id}` (docs/contract.md, "PATCH /events/{event_id}"). A
 * field that is left out keeps its value. Parsing drops unknown members; the client
 * refuses them before it sends.
 */
export const EventUpdate = z.object({
  linked_id: LinkedId.optional(),
  tags: Tags.optional(),
  suspect: z.boolean().optional(),
});
