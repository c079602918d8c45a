// Runs in the page: the contrast of what is rendered. Grounds are composed from all ancestors, with their alpha and
// opacity. Text needs 4.5 to 1; icons and focus rings need 3 to 1.
(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();

  /** Any CSS colour as red, green, blue and alpha. */
  function colour(css) {
    const before = known.get(css);
    if (before !== undefined) return before;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = '#000';
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    known.set(css, [r, g, b, a / 255]);
    return known.get(css);
  }

  function mix(below, above, share) {
    return below.map((value, index) => value + (above[index] - value) * share);
  }

  function over(below, [r, g, b, a]) {
    return mix(below, [r, g, b], a);
  }

  function luminance(rgb) {
    const [r, g, b] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function ratio(one, other) {
    const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  function chainOf(element) {
    const chain = [];
    for (let at = element; at !== null; at = at.parentElement) chain.unshift(at);
    return chain;
  }

  /** The ground of the last of the chain, and a colour drawn on it. */
  function drawn(chain, words, below = [255, 255, 255]) {
    const [first, ...rest] = chain;
    const { backgroundColor, opacity } = getComputedStyle(first);
    const ground = over(below, colour(backgroundColor));
    const [inner, drawnMark] =
      rest.length === 0 ? [ground, over(ground, colour(words))] : drawn(rest, words, ground);
    return [mix(below, inner, Number(opacity)), mix(below, drawnMark, Number(opacity))];
  }

  function contrast(element, words) {
    const [ground, shown] = drawn(chainOf(element), words);
    return ratio(ground, shown);
  }

  function isVisible(element) {
    const { width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2 || !element.checkVisibility({ visibilityProperty: true })) return false;
    return chainOf(element).every((one) => {
      const style = getComputedStyle(one);
      return Number(style.opacity) > 0.05 && !style.clipPath.startsWith('inset(50%');
    });
  }

  function hasText(element) {
    return [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '',
    );
  }

  function nameOf(element) {
    const text = (element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 30);
    const own = [...element.attributes]
      .filter(({ name }) => /^(?:data-(?!contrast)|aria-(?:pressed|selected|current|checked))/.test(name))
      .map(({ name, value }) => `[${name}=${value}]`);
    return `${element.localName}.${[...element.classList].join('.')}${own.join('')} "${text}"`;
  }

  /** Everything in this element that is read: words, placeholders, icons. */
  function faults(root, state) {
    const found = [];
    const judge = (element, words, least, what) => {
      const is = contrast(element, words);
      if (is < least) found.push(`${state}: ${what} of ${nameOf(element)} has ${is.toFixed(2)}`);
    };
    for (const element of [root, ...root.querySelectorAll('*')]) {
      const isInput = element.matches('input, textarea, select');
      const isIcon = element.localName === 'svg' && element.closest('.brand') === null;
      if ((!isInput && !isIcon && !hasText(element)) || element.closest('option, svg *, canvas') !== null)
        continue;
      if (!isVisible(element)) continue;
      const { color } = getComputedStyle(element);
      judge(element, color, isIcon ? 3 : 4.5, isIcon ? 'the icon' : 'the text');
      if (isInput && element.placeholder) {
        judge(element, getComputedStyle(element, '::placeholder').color, 4.5, 'the placeholder');
      }
    }
    return found;
  }

  function ringFaults(element, state) {
    const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(element);
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 1)
      return [`${state}: ${nameOf(element)} has no focus ring`];
    const isInside = Number.parseFloat(outlineOffset) < 0;
    const beside = isInside ? element : (element.parentElement ?? element);
    const is = contrast(beside, outlineColor);
    return is < 3 ? [`${state}: the focus ring of ${nameOf(element)} has ${is.toFixed(2)}`] : [];
  }

  /** Elements that look alike in every state are looked at once. */
  function signatureOf(element) {
    const own = [...element.attributes]
      .filter(({ name }) =>
        /^(?:class|type|role|disabled|data-(?!event|index|id|contrast)|aria-(?:pressed|selected|current|checked|expanded|busy)$)/.test(
          name,
        ),
      )
      .map(({ name, value }) => `${name}=${value}`);
    return [
      element.localName,
      ...own,
      element.parentElement?.className,
      element.closest('[data-kind]')?.dataset.kind,
    ].join(' ');
  }

  const INTERACTIVE =
    'a[href], button, input, select, textarea, summary, [tabindex], [role=option], .message, .entry';

  /** Marks one element of each kind with a number, so that they can be found from outside. */
  function markKinds(seen) {
    const skip = new Set(seen);
    const marked = [];
    for (const old of document.querySelectorAll('[data-contrast]')) delete old.dataset.contrast;
    for (const element of document.querySelectorAll(INTERACTIVE)) {
      const signature = signatureOf(element);
      const hidden = element.getBoundingClientRect().width < 2 || !element.checkVisibility();
      if (skip.has(signature) || hidden) continue;
      skip.add(signature);
      element.dataset.contrast = String(marked.length);
      marked.push(signature);
    }
    return marked;
  }

  function markedAs(number) {
    return document.querySelector(`[data-contrast="${number}"]`);
  }

  globalThis.contrastCheck = {
    mark: markKinds,
    page: (state) => faults(document.body, state),
    element: (number, state) => (markedAs(number) === null ? [] : faults(markedAs(number), state)),
    ring: (number, state) => {
      const element = markedAs(number);
      return element === null || element.matches(':disabled, .entry, [role=option]')
        ? []
        : ringFaults(element, state);
    },
    /** Sets an attribute for a moment. Returns what puts it back, or undefined where it has no meaning. */
    set: (number, name) => {
      const element = markedAs(number);
      if (element === null) return false;
      if (name === 'disabled') {
        if (!('disabled' in element) || element.disabled) return false;
        element.disabled = true;
        return true;
      }
      const attribute = ['aria-pressed', 'aria-selected', 'aria-checked'].find(
        (one) => element.getAttribute(one) === 'false',
      );
      if (attribute === undefined) return false;
      element.setAttribute(attribute, 'true');
      element.dataset.contrastSet = attribute;
      return true;
    },
    unset: (number, name) => {
      const element = markedAs(number);
      if (element === null) return;
      if (name === 'disabled') element.disabled = false;
      else element.setAttribute(element.dataset.contrastSet, 'false');
      delete element.dataset.contrastSet;
    },
  };
})();
