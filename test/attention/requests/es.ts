// Spanish requests, and sentences that merely contain their words. One message per line, typos included.
// phrasings.ts says what each list means.
import type { Phrasings } from './phrasings.ts';

export const es: Phrasings = {
  leave: `
    vete por favor
    @nova ¿puedes salir de este canal, por favor? ¡gracias!
    Nova, ¿te importaría salir de este hilo?
    hola nova, podrías irte porfa
    ya no te necesitamos aquí, puedes irte
    gracias por todo nova, ya te puedes ir 👋
    sal del canal
    salte de este chat por favor
    Déjanos solos, por favor
    nova, abandona esta conversación
    creo que ya no hace falta que estés aquí, puedes marcharte
    ¿Podrías dejarnos a solas? Queremos hablar en privado.
    por favor, abandona el grupo, esto es privado
    fuera de aquí nova
    lárgate
    te pido que salgas de este canal
    quiero que te vayas
    nova, es hora de que te vayas
    vete de akí nova
    Perdona nova, ¿te puedes ir? Este canal es solo para personas.
    te importa salir de la conversación?
    puedes retirarte, muchas gracias
    @nova salí del grupo por favor
    ya está todo, gracias. Sal del hilo por favor.
    No te necesitamos más, gracias
    vete ya, por favor, que queremos hablar solos
    nova, ¿serías tan amable de salir de este canal?
    Buen trabajo. Ahora sal del canal, por favor.
    nova por fabor sal de este canal
    necesito que salgas de esta conversación
    ándate de acá, nova
    déjanos en paz
    Nova, retírate de este hilo porque vamos a tratar temas de sueldos
    deberías irte ya
    @nova haz el favor de salir de aquí
    podés irte, gracias
    lo siento, pero tienes que salir de este chat
    aquí ya no haces falta, nova, vete tranquila
  `,
  stop: `
    para
    @nova ¡para!
    deja de responder aquí por favor
    nova, deja de contestar a todo
    ¿Puedes dejar de responder a cada mensaje, por favor?
    basta ya nova
    por favor para, estás haciendo spam
    ¿podrías dejar de escribir en este hilo? gracias
    para ya, porfa
    ya basta, gracias
    no respondas más aquí
    nova no contestes más por favor
    te pido que dejes de contestar
    necesito que dejes de responder en este canal
    detente
    deja de hablar
    Es suficiente. Deja de respondernos.
    nova para porfavor 🙏
    ¿te importaría no contestar más aquí?
    deja de molestar, nova
    ya puedes parar, gracias
    deja de mandarme mensajes
    nova, deja de interrumpirnos
    dejá de responder, por favor
    pará nova
    Gracias nova, pero deja de comentar todo lo que decimos
    quiero que pares
    deja de meterte en la conversación
    alto, nova
    no no, para
    no sigas respondiendo, por favor
    no hace falta que respondas más, para
    esto es molesto, para por favor
    @nova stop porfa
    ¡Ya basta! Deja de publicar aquí.
    por favor deja d responder
    para de responder, nova
    nova, podrías parar ya?
  `,
  quieter: `
    cállate
    nova, responde solo cuando te mencione
    @nova por favor contesta solo si te etiquetan
    silencio por favor
    ¿puedes hablar solo cuando alguien te mencione? gracias
    No respondas a menos que te mencionemos
    habla menos, nova
    ¿podrías ser un poco menos hablador?
    guarda silencio, por favor, estamos en una reunión
    a partir de ahora solo responde cuando te llamen
    solo cuando te mencione
    solo menciones por favor
    nova cállate un rato
    quédate callado hasta que te llamemos
    prefiero que solo contestes cuando te mencione
    no hace falta que respondas a todo, solo cuando te preguntemos
    shh nova 🤫
    calladito por favor
    Quiero que respondas únicamente si te menciono por tu nombre
    no contestes si no te mencionan
    nova, modo solo menciones
    mantente en silencio salvo que te nombremos
    hablas demasiado. Responde solo si te preguntan.
    ¿te importaría estar callado un rato?
    por favor responde solamente cuando te arrobe
    espera a que te mencione antes de responder
    no digas nada si no te llamamos
    estate callada, porfa
    quiero que estés en silencio
    responde menos, por favor
    nova, solo habla cuando te lo pidamos
    limita tus respuestas a cuando te mencionen
    oye nova, ¿puedes callarte?
    Nova: silencio.
    No contestes todo, solo cuando te etiquete
    cayate nova
    te agradecería que solo hablaras cuando te mencionemos
    mucho ruido aquí, nova, solo responde si te llamo
  `,
  back: `
    vuelve
    nova, vuelve por favor
    @nova ya puedes hablar otra vez
    puedes volver a responder
    ¿puedes volver al canal?
    vuelve a la normalidad, porfa
    regresa a esta conversación, nova
    ya puedes contestar de nuevo, gracias por esperar
    ¿te importaría volver?
    vuelve a participar, por favor
    la reunión terminó, puedes hablar de nuevo
    te necesitamos otra vez, vuelve
    ya no hace falta que te mencionemos, responde cuando quieras
    nova ya no tienes que estar callado
    vuelve al modo normal
    únete otra vez a la conversación
    quiero que vuelvas
    perdona, fue un error, vuelve por favor
    empieza a responder otra vez
    ya puedes dejar de estar en silencio
    regresá nova
    volvé a contestar porfa
    modo normal por favor
    nova, puedes intervenir de nuevo cuando quieras
    eres libre de hablar otra vez
    vuelve con nosotros nova 😊
    ¿podrías volver a contestar a todo?
    reactívate, nova
    retoma tus respuestas normales
    Gracias por callarte, ya puedes volver a hablar
    buelve nova
    puedes volver a responder a todos los mensajes
    nova, habla otra vez por favor
    necesito que vuelvas a este hilo
    sigue respondiendo como antes
    ven aquí otra vez, nova
    ya no es necesario que guardes silencio
    ok nova, vuelve a lo de siempre
  `,
  other: `
    deja un comentario en el PR
    déjamelo a mí
    para el despliegue
    la parada del autobús está cerrada
    volvamos a esto más tarde
    ¿saliste del canal?
    ¿por qué paraste?
    no te vayas todavía
    por favor no pares
    esto es para ti
    deja la rama como está
    Juan dijo que saldrá del canal mañana
    si fallan las pruebas, para
    ¿puedes volver a enviarme el informe?
    vuelve a ejecutar los tests
    deja de enviar correos al cliente
    el servidor volvió a la normalidad
    ¿cómo salgo de un canal?
    la salida del canal está configurada
    ¿debería dejar el canal abierto?
    silencia las alertas de noche
    para mañana por favor
    ¿puedes parar el contenedor y reiniciarlo?
    me voy del canal, hasta luego
    los usuarios se van de este canal por el ruido
    ¿ya volviste a probarlo?
    no dije que dejaras de responder
    deja la luz encendida al salir
    el bot solo responde cuando lo mencionan, ¿verdad?
    cuando termines, sal del editor y guarda
    basta con un ejemplo
    hablamos menos que antes
    ¿vas a volver a abrir el ticket?
    necesito salir antes hoy
    el cartel dice "por favor, abandona el canal"
    sal y pimienta en la lista de la compra
    que pare de llover ya
    te dejo con el equipo
  `,
};
