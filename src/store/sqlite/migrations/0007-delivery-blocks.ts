// What is open lies by blocks of positions, so that a batch writes few pages of the index (in-conversation.ts).
export const deliveryBlocks = `
DROP INDEX delivery_by_agent_conversation;
CREATE INDEX delivery_open_by_block ON delivery (agent, position >> 12, conversation) WHERE open = 1;
CREATE INDEX delivery_ended_by_conversation ON delivery (agent, conversation) WHERE open = 0;
`;
