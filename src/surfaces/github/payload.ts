// What GitHub sends, as far as this surface reads it. Fields that are not named here are ignored, so a new one breaks
// nothing. A webhook and a list have the same shapes of issues, comments and reviews.
import { z } from 'zod';

const id = z.int().nonnegative();
const time = z.iso.datetime({ offset: true });
const body = z.string().max(300_000).nullish();

/** Null: the account was deleted. */
const user = z.object({ login: z.string().min(1).max(100), type: z.string().nullish() }).nullish();
export type GithubUser = z.infer<typeof user>;

export const issueSchema = z.object({
  number: id,
  title: z.string().max(2_000).nullish(),
  body,
  user,
  state: z.string().nullish(),
  created_at: time,
  updated_at: time,
});
export type GithubIssue = z.infer<typeof issueSchema>;

export const commentSchema = z.object({ id, body, user, created_at: time, updated_at: time });
export type GithubComment = z.infer<typeof commentSchema>;

export const reviewCommentSchema = commentSchema.extend({
  in_reply_to_id: id.nullish(),
  path: z.string().max(4_096).nullish(),
});
export type GithubReviewComment = z.infer<typeof reviewCommentSchema>;

export const reviewSchema = z.object({
  id,
  body,
  user,
  state: z.string().nullish(),
  submitted_at: time.nullish(),
});
export type GithubReview = z.infer<typeof reviewSchema>;

export const changesSchema = z
  .object({
    body: z.object({ from: z.string().max(300_000).nullish() }).nullish(),
    title: z.object({ from: z.string().max(2_000).nullish() }).nullish(),
  })
  .nullish()
  .catch(null);

// Lists of a whole repository name the thread by an address.

export const listedIssueSchema = issueSchema.extend({
  id: z.int(),
  pull_request: z.looseObject({}).nullish(),
});
export const listedCommentSchema = commentSchema.extend({ issue_url: z.string() });
export const listedReviewCommentSchema = reviewCommentSchema.extend({ pull_request_url: z.string() });
/** What happened to issues and pull requests. */
export const happenedSchema = z.object({
  event: z.string(),
  actor: user,
  created_at: time,
  issue: issueSchema,
  assignee: user,
  label: z.object({ name: z.string() }).nullish(),
  requested_reviewer: user,
  requested_team: z.object({ slug: z.string() }).nullish(),
});

/** What surrounds every event of a webhook. */
export const deliverySchema = z.looseObject({
  action: z.string().min(1).max(100).nullish(),
  repository: z
    .object({ full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name') })
    .nullish(),
  installation: z.object({ id }).nullish(),
  sender: user,
});
export type Delivery = z.infer<typeof deliverySchema>;

export const issueEventSchema = z.object({
  issue: issueSchema,
  changes: changesSchema,
  assignee: user,
  label: z.object({ name: z.string() }).nullish(),
});
export const pullEventSchema = z.object({
  pull_request: issueSchema.extend({
    merged: z.boolean().nullish(),
    requested_reviewers: z.array(user).nullish(),
  }),
  changes: changesSchema,
  assignee: user,
  requested_reviewer: user,
  requested_team: z.object({ slug: z.string() }).nullish(),
  label: z.object({ name: z.string() }).nullish(),
});
export const commentEventSchema = z.object({
  issue: issueSchema,
  comment: commentSchema,
  changes: changesSchema,
});
export const reviewCommentEventSchema = z.object({
  pull_request: issueSchema,
  comment: reviewCommentSchema,
  changes: changesSchema,
});
export const reviewEventSchema = z.object({ pull_request: issueSchema, review: reviewSchema });
