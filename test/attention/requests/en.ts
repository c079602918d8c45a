// English requests, and sentences that merely contain their words. One message per line, typos included.
// phrasings.ts says what each list means.
import type { Phrasings } from './phrasings.ts';

export const en: Phrasings = {
  leave: `
    hey @nova can you please leave this channel? thanks!
    would you mind leaving
    Would you mind leaving this thread, nova? We'd like to talk among ourselves.
    please leave
    nova, leave
    @nova could you please go now
    I think we don't need you here any more, you can go
    thanks for everything nova, you can leave now 🙂
    ok nova you may leave the channel
    pls leave this chanel @nova
    can u leave pls
    @nova kindly leave the chat
    Nova, we'd like to discuss something private. Please leave the room.
    leave us alone please
    go away nova
    @nova get out of here lol
    hi nova, it's time for you to leave this conversation
    you're not needed here anymore, thank you
    nova: please exit this thread
    We've got it from here, nova. Feel free to leave.
    I'd like you to leave this channel, nova
    @nova plese leave, this is a private discussion
    Sorry nova, but could you leave? This channel is for humans only.
    No need for you to stay here @nova, thanks again!
    do you mind leaving us for a bit?
    can you remove yourself from this channel please
    Please leave this channel because we're moving the discussion elsewhere.
    nova I want you to leave
    you should leave now nova
    thanks! that's all, please leave the thread now
    why don't you leave this channel, nova
    @nova leave the channel, will you?
    we don't need your help here any more, please go
    I'm asking you to leave this conversation
    alright nova, off you go 👋
    @nova you can go now, thx
    Great work today. Now please leave the channel so we can talk about salaries.
    @nova laeve this thread please
  `,
  stop: `
    stop
    @nova stop!
    please stop replying here
    nova, stop answering everything
    Can you stop replying to every message please?
    stop it nova
    Would you please stop posting in this thread? Thanks.
    STOP TALKING
    nova pls stop, you're spamming us
    ok that's enough nova, thanks
    hey nova, could you stop commenting on everything we say
    I need you to stop responding here
    no no no stop
    please stop now @nova 🛑
    stop messaging me
    Nova, I said stop.
    you can stop now, thank you!
    would you mind not replying here any more?
    don't reply here anymore please
    @nova please don't answer us any more
    sotp replying nova
    cut it out, nova
    knock it off please
    can u plz stop
    That's enough. Stop responding to us.
    nova, stop writing in this channel, it is very distracting
    stop chiming in
    Thanks nova, but stop replying to this thread please
    quit replying to everyone nova
    @nova quit it
    this is getting annoying, please stop
    I'd appreciate it if you stopped replying here
    stop interrupting us please
    stop what you're doing
    nova, please stop talking to us.
    hold on nova, stop
    there's no need for you to reply here any more, please stop
    stop pls 🙏
  `,
  quieter: `
    be quiet please
    nova, only answer when I mention you
    @nova please only reply if you are tagged
    could you only speak when someone mentions you? thanks
    Please be quieter, nova
    can you keep it down a bit
    nova, from now on only respond when mentioned, ok?
    don't reply unless I tag you
    Please don't answer unless somebody asks you directly
    hush
    @nova shh 🤫
    shut up nova
    would you mind being a bit less chatty?
    nova pls talk less
    mentions only please
    please stay quiet unless we call you
    You're too loud, nova. Speak only when spoken to.
    nova, new rule: only reply when pinged
    I'd prefer if you only answered when mentioned
    no need to answer every message nova, just when we mention you
    can you pipe down a little
    @nova please keep quiet for now, we're in a meeting
    switch to mention-only mode please
    hey nova, wait until I mention you before you answer
    just listen and only speak up when asked
    Could you mute yourself unless tagged, please?
    nova be quite please
    Please only jump in when we ask you to, thanks nova!
    only when I mention you
    You don't have to respond to everything. Only reply when I ping you.
    nova, please tone it down
    pls dont respond unless mentioned
    quiet please, nova
    I want you to answer only if I mention you by name
    can you stay silent until I call you?
    too much noise here. nova, mention only from now on.
    please reply less often
    @nova unless tagged, don't reply
  `,
  back: `
    come back
    nova, come back please
    @nova you can talk again
    back to normal please
    You can speak freely again, thanks for your patience
    ok nova, you may answer again now
    hey @nova can you come back to this channel?
    Please rejoin the conversation, nova
    would you mind coming back?
    we need you here again nova, come back
    @nova unmute yourself
    nova, feel free to chime in again
    Meeting's over, you can reply normally again
    please resume normal mode
    go back to normal nova
    You don't have to wait for mentions any more
    nova you no longer need to be mentioned, answer whenever you like
    I take it back, you can talk
    start replying again please
    can you start answering again
    please join us again @nova
    nova, you're allowed to speak again 🙂
    ok you can stop being quiet now
    cme back nova
    @nova please return to this channel
    it's fine, you can respond to everything again
    sorry nova, that was a mistake, please come back
    switch back to auto mode
    no need to stay silent any longer
    nova, resume answering, thanks
    Could you participate again, please?
    you're welcome to join in again
    we miss you nova, come back! 😄
    please talk to us again
    set yourself back to normal mode
    Thanks for staying quiet, you can speak up again now
    I'd like you to come back to this thread
    nova pls start talking again
  `,
  other: `
    leave a comment on the PR please
    leave it to me
    stop the deploy
    the bus stop is closed
    let's come back to this later
    nova, can you leave a note in the doc?
    did you leave the channel?
    why did you stop?
    don't leave yet
    please don't stop
    I'm on leave next week
    Leave the branch as is, please
    Bob said he will leave the channel tomorrow
    if the tests fail, stop
    stop the timer when you are done
    should I leave the channel open?
    can you come back to me with the numbers?
    be quiet about the acquisition in the press release
    what happens when I tell you to leave this channel?
    When you are finished, leave the room key at the desk.
    non-stop flights only please
    the quiet hours start at ten
    the server is back to normal
    nova, please leave out the last paragraph
    could you stop the container and restart it?
    users leave this channel because of the noise, can you find out why?
    I never said stop replying
    the bot only answers when mentioned, is that right?
    make it stop crashing please
    I'll leave you to it
    He told the other bot to leave us alone
    can you stop by the office tomorrow
    We should stop using this library
    please leave the feature flag on
    are you coming back to the thread view in the next release?
    stop sending emails to the customer
    how do I leave a Slack channel?
    "Please leave this channel" is what the banner says
    did the process come back up?
    how can I make the assistant be quiet during meetings?
  `,
};
