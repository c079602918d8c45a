// What has happened to an event since it was decided, in words. `GET /v1/why/:eventId` lists it.

export interface LaterChange {
  at: string;
  agent?: string;
  kind:
    | 'handed'
    | 'settled'
    | 'superseded'
    | 'redelivered'
    | 'dead_lettered'
    | 'escalated'
    | 'claimed'
    | 'edited'
    | 'deleted'
    | 'reacted'
    | 'resolved'
    | 'corrected'
    | 'opinion'
    | 'obligation';
  words: string;
  eventId?: string;
}
