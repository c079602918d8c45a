// German requests, and sentences that merely contain their words. One message per line, typos included.
// phrasings.ts says what each list means.
import type { Phrasings } from './phrasings.ts';

export const de: Phrasings = {
  leave: `
    geh bitte
    hey @nova, kannst du bitte diesen Kanal verlassen? Danke!
    Nova, würde es dir etwas ausmachen, diesen Thread zu verlassen?
    du kannst jetzt gehen, danke
    hallo nova, könntest du bitte aus dem Kanal rausgehen
    wir brauchen dich hier nicht mehr, du kannst gehen
    danke für alles nova, du darfst jetzt raus 👋
    verlass den Kanal
    raus hier
    lass uns bitte allein
    nova, verlasse diese Unterhaltung
    ich glaube, wir brauchen dich nicht mehr, du kannst gehen
    Könntest du uns allein lassen? Wir wollen unter uns reden.
    bitte verlassen Sie diesen Kanal
    hau ab nova
    ich bitte dich, den Kanal zu verlassen
    ich möchte, dass du gehst
    es ist Zeit, dass du gehst, nova
    bitte verlase den Kanal
    Sorry nova, kannst du rausgehen? Der Kanal ist nur für Menschen.
    macht es dir was aus zu gehen?
    Sie können jetzt gehen, vielen Dank
    das war's, danke. Verlass bitte den Thread.
    wir schaffen das ohne dich, du kannst den Chat verlassen
    geh jetzt bitte, wir wollen unter uns sein
    nova, wärst du so nett, diesen Kanal zu verlassen?
    Gute Arbeit. Jetzt verlass bitte den Kanal.
    du solltest jetzt gehen
    zieh dich bitte aus diesem Thread zurück
    bitte geh raus aus dem Channel
    verschwinde nova
    verzieh dich
    nova, verlass diesen Thread, weil wir über Gehälter reden
    du musst hier nicht mehr bleiben
    du wirst hier nicht mehr gebraucht, danke
    du musst diese Gruppe verlassen, tut mir leid
    tschüss nova, du kannst raus
    Kanal bitte verlassen, nova
  `,
  stop: `
    stopp
    @nova hör auf!
    hör bitte auf, hier zu antworten
    nova, hör auf, auf alles zu antworten
    Kannst du bitte aufhören, auf jede Nachricht zu antworten?
    es reicht nova
    bitte hör auf, du spammst uns voll
    könntest du aufhören, in diesem Thread zu schreiben? danke
    stop bitte
    ok, das reicht jetzt, danke
    antworte hier nicht mehr
    nova bitte nicht mehr antworten
    ich bitte dich, mit dem Antworten aufzuhören
    du musst aufhören, in diesem Kanal zu antworten
    lass das
    hör auf zu reden
    Es reicht. Hör auf, uns zu antworten.
    hoer bitte auf nova 🙏
    würde es dir was ausmachen, hier nicht mehr zu antworten?
    hör auf zu kommentieren
    du kannst jetzt aufhören, danke
    hör auf, mir Nachrichten zu schicken
    nova, hör auf, uns zu unterbrechen
    hören Sie bitte auf zu antworten
    Danke nova, aber hör auf, alles zu kommentieren
    ich will, dass du aufhörst
    schluss jetzt, nova
    misch dich nicht mehr ein
    nein nein, hör auf
    bitte schreib hier nichts mehr
    du brauchst nicht mehr zu antworten, hör auf
    das nervt, hör bitte auf
    halt, nova!
    Genug! Hör auf, hier zu posten.
    hör auff zu antworten
    magst du bitte aufhören zu antworten?
    nova, könntest du mal aufhören?
    unterlass das bitte, nova
  `,
  quieter: `
    sei still
    nova, antworte nur, wenn ich dich erwähne
    @nova bitte nur antworten, wenn du getaggt wirst
    Ruhe bitte
    kannst du nur reden, wenn dich jemand erwähnt? danke
    Antworte nicht, außer wir erwähnen dich
    rede weniger, nova
    könntest du etwas weniger gesprächig sein?
    sei bitte leise, wir sind in einem Meeting
    ab jetzt antworte nur noch, wenn man dich ruft
    nur wenn ich dich erwähne
    nur bei Erwähnung bitte
    psst nova 🤫
    bleib still, bis wir dich rufen
    mir wäre lieber, du antwortest nur, wenn ich dich erwähne
    du musst nicht auf alles antworten, nur wenn wir dich fragen
    halt dich bitte etwas zurück, nova
    sei mal etwas ruhiger
    Ich möchte, dass du nur antwortest, wenn ich dich beim Namen nenne
    melde dich nicht, wenn du nicht erwähnt wirst
    nova, nur noch auf Erwähnung
    schweig, solange dich keiner erwähnt
    du redest zu viel. Antworte nur, wenn man dich fragt.
    würde es dir was ausmachen, mal leise zu sein?
    antworte nur, wenn man dich pingt
    warte, bis ich dich erwähne, bevor du antwortest
    sag nichts, solange wir dich nicht rufen
    bitte etwas leiser, nova
    weniger Lärm bitte, nova
    antworte bitte seltener
    nova, sprich nur, wenn du gefragt wirst
    kannst du mal ruhig sein?
    halt die klappe nova
    Seien Sie bitte still
    Du brauchst nicht auf alles zu reagieren. Antworte nur, wenn ich dich tagge.
    schalte dich stumm, außer du wirst erwähnt
    bitte nur antworten wenn erwähnt
    halt mal den mund nova, wir arbeiten
  `,
  back: `
    komm zurück
    nova, komm bitte zurück
    @nova du darfst wieder reden
    du kannst wieder antworten
    kannst du bitte in diesen Kanal zurückkommen?
    zurück zum Normalmodus bitte
    komm zurück in die Unterhaltung, nova
    du kannst jetzt wieder normal antworten, danke fürs Warten
    würde es dir was ausmachen, zurückzukommen?
    mach bitte wieder mit
    das Meeting ist vorbei, du kannst wieder sprechen
    wir brauchen dich wieder, komm zurück
    du musst nicht mehr erwähnt werden, antworte, wann du willst
    nova, du musst nicht mehr still sein
    schalte zurück in den Normalmodus
    sei wieder dabei, nova
    ich möchte, dass du zurückkommst
    sorry, das war ein Fehler, komm bitte zurück
    fang wieder an zu antworten
    du kannst aufhören, still zu sein
    kommen Sie bitte zurück
    normaler Modus bitte
    verhalte dich wieder normal
    nova, du kannst dich wieder einmischen
    du hast wieder das Wort
    komm wieder zu uns nova 😊
    könntest du wieder auf alles antworten?
    nova, antworte wieder wie vorher
    antworte ab jetzt wieder
    Danke fürs Stillsein, du darfst wieder reden
    kom zurück nova
    du kannst wieder auf alle Nachrichten antworten
    nova, rede bitte wieder mit uns
    ich brauche dich wieder in diesem Thread, komm zurück
    antworte wieder wie gewohnt
    komm wieder her, nova
    du brauchst nicht länger zu schweigen
    ok nova, alles wieder normal bitte
  `,
  other: `
    hinterlass einen Kommentar im PR
    überlass das mir
    stopp das Deployment
    die Bushaltestelle ist gesperrt
    kommen wir später darauf zurück
    hast du den Kanal verlassen?
    warum hast du aufgehört?
    geh noch nicht
    bitte hör nicht auf
    ich gehe morgen in Urlaub
    lass den Branch so, wie er ist
    Tom hat gesagt, er verlässt den Kanal morgen
    wenn die Tests fehlschlagen, hör auf
    komm mit den Zahlen auf mich zurück
    geh bitte die Liste durch
    hör auf, dem Kunden Mails zu schicken
    der Server ist wieder normal
    wie verlasse ich einen Kanal?
    soll ich den Kanal offen lassen?
    schalte die Alarme nachts stumm
    kannst du den Container stoppen und neu starten?
    ich verlasse den Kanal, bis später
    die Leute verlassen diesen Kanal wegen des Lärms
    darauf kannst du dich verlassen
    ich habe nicht gesagt, dass du aufhören sollst zu antworten
    lass das Licht an, wenn du gehst
    der Bot antwortet nur, wenn man ihn erwähnt, oder?
    wenn du fertig bist, verlass den Editor und speichere
    die Ruhe vor dem Sturm
    ein Beispiel reicht für die Doku
    kommst du morgen auf das Ticket zurück?
    ich muss heute früher gehen
    auf dem Banner steht „Bitte verlassen Sie diesen Kanal“
    es geht um das Release
    wir sollten aufhören, diese Bibliothek zu benutzen
    halt mich bitte auf dem Laufenden
    lass uns morgen weitermachen
    geh zurück zur letzten Version
  `,
};
