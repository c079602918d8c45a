"""A LangGraph agent in chat. It remembers each conversation and may use the chat tools.

    pip install langgraph langchain langchain-anthropic
    export EARSHOT_TOKEN=… ANTHROPIC_API_KEY=…
    PYTHONPATH=clients/python python examples/python-langgraph/agent.py
"""

import os

from langchain.chat_models import init_chat_model
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent

import earshot

model = init_chat_model(os.environ.get("MODEL", "anthropic:claude-sonnet-4-5"))
memory = MemorySaver()
# The graph remembers what was said, so turns carry only what is new.
agent = earshot.connect(thread_window=False)


def as_tool(tool: earshot.Tool) -> StructuredTool:
    async def call(**args):
        return (await tool.call(args)).text

    return StructuredTool(name=tool.name, description=tool.description, args_schema=tool.input_schema, coroutine=call)


@agent.on_turn
async def answer(turn):
    tools = [as_tool(tool) for tool in turn.tools if tool.name in ("chat_react", "chat_read_thread")]
    graph = create_react_agent(model, tools, prompt=turn.system, checkpointer=memory)
    thread = {"configurable": {"thread_id": turn.events[-1].room}}
    state = await graph.ainvoke({"messages": [("user", turn.user)]}, thread)
    last = state["messages"][-1]
    used = getattr(last, "usage_metadata", None)
    if used:
        turn.usage(used["input_tokens"], used["output_tokens"])
    return last.text if isinstance(last.text, str) else last.text()


agent.run()
