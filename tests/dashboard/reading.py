"""What a page must hold to be read: scripts that run in it and give what breaks a rule."""

# What is seen: neither hidden nor meant for screen readers alone.
_SEEN = """
    const isSeen = element => element.checkVisibility({opacityProperty: true,
        visibilityProperty: true}) && !element.closest('.sr-only, script, style, noscript');
    const nameOf = element => `<${element.tagName.toLowerCase()}> `
        + (element.getAttribute('aria-label') || element.innerText || element.textContent || '')
            .trim().replace(/\\s+/g, ' ').slice(0, 80);
"""

# Colours, and the contrast of one to what lies below an element's text (WCAG 2.2, 1.4.3).
_COLOURS = """
    const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    // A page has few colours and many words: what was worked out once is remembered.
    const remembered = work => {
        const known = new Map();
        return thing => {
            if (!known.has(thing)) known.set(thing, work(thing));
            return known.get(thing);
        };
    };
    const channels = remembered(colour => {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    });
    const over = (top, ground) =>
        [0, 1, 2].map(i => top[i] * top[3] + ground[i] * (1 - top[3])).concat(1);
    const light = colour => {
        const [r, g, b] = colour.map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const groundOf = remembered(element => element
        ? over(channels(getComputedStyle(element).backgroundColor), groundOf(element.parentElement))
        : [255, 255, 255, 1]);
    const opacityOf = remembered(element => element
        ? Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement) : 1);
    const contrast = (colour, opacity, element) => {
        const ground = groundOf(element);
        const ink = channels(colour);
        const [above, below] = [over([...ink.slice(0, 3), ink[3] * opacity], ground), ground]
            .map(light).sort((a, b) => b - a);
        return {ratio: (above + 0.05) / (below + 0.05),
            key: `${colour} on ${ground.slice(0, 3).map(Math.round)}`};
    };
"""

# Every line of text with its box, and how far the boxes around it let it be seen.
_LINES = (
    _SEEN
    + """
    const clips = new Map();
    // The boxes around an element that cut what lies outside, up to the first that scrolls.
    const clipsOf = element => {
        if (clips.has(element)) return clips.get(element);
        const found = [];
        let escapes = getComputedStyle(element).position;
        let start = element;
        while (start.ownerSVGElement) start = start.ownerSVGElement;
        for (let one = start; one && one !== document.documentElement; one = one.parentElement) {
            const style = getComputedStyle(one);
            const isOutOfFlow = ['absolute', 'fixed'].includes(escapes);
            const holds = one === element || !isOutOfFlow
                || (escapes === 'absolute' && style.position !== 'static');
            if (one !== element && holds) escapes = style.position;
            const hasBox = !['inline', 'contents'].includes(style.display)
                || one instanceof SVGElement;
            if (!holds || !hasBox) continue;
            const [x, y] = [style.overflowX, style.overflowY];
            if (x === 'visible' && y === 'visible') continue;
            const scrolls = [x, y].some(way => way === 'auto' || way === 'scroll');
            found.push({element: one, box: one.getBoundingClientRect(), x, y, scrolls});
            if (scrolls) break;
        }
        clips.set(element, found);
        return found;
    };
    const lines = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const element = node.parentElement;
        if (!node.textContent.trim() || !isSeen(element)) continue;
        // What a closed fold holds has a box of its own, although nobody sees it.
        if (element.tagName === 'DETAILS' && !element.open) continue;
        if (element.closest('title, desc, option, textarea')) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            if (box.width > 1 && box.height > 1) lines.push({node, element, box});
        }
    }
"""
)

# Contents that stick out to the right of the window, where nothing scrolls or hides them.
WIDER = """() => {
    const limit = document.documentElement.clientWidth + 1;
    if (document.documentElement.scrollWidth <= limit) return [];
    const contained = element => {
        for (let parent = element.parentElement; parent; parent = parent.parentElement) {
            if (parent === document.body) return false;
            if (getComputedStyle(parent).overflowX !== 'visible') return true;
        }
    };
    const found = [...document.body.querySelectorAll('*')]
        .filter(element => element.getBoundingClientRect().right > limit && !contained(element))
        .map(element => `${element.tagName} ${element.className} ${element.innerText ?? ''}`);
    return ['the page scrolls sideways', ...found.map(text => text.slice(0, 120)).slice(0, 5)];
}"""

# Text that a box cuts off where nothing scrolls and no title says the whole of it, and text in
# a box too narrow for its words.
CLIPPED = (
    "() => {"
    + _LINES
    + """
    const found = new Map();
    const cut = (text, why) => { if (!found.has(text)) found.set(text, `${why}: ${text}`); };
    for (const {node, element, box} of lines) {
        const text = node.textContent.trim().replace(/\\s+/g, ' ').slice(0, 100);
        const said = element.closest('[title]')?.getAttribute('title') ?? '';
        if (said.includes(node.textContent.trim())) continue;
        for (const one of clipsOf(element)) {
            // A box of a pixel hides on purpose: its text is for screen readers.
            if (one.box.width <= 2 || one.box.height <= 2) break;
            const isCutAcross = ['hidden', 'clip'].includes(one.x)
                && (box.right > one.box.right + 1.5 || box.left < one.box.left - 1.5);
            // The box of a line is higher than its letters.
            const slack = box.height * 0.35;
            const isCutBelow = ['hidden', 'clip'].includes(one.y)
                && (box.bottom > one.box.bottom + slack || box.top < one.box.top - slack);
            if (isCutAcross || isCutBelow) cut(text, `cut by ${nameOf(one.element).split(' ')[0]}`);
        }
        const [left, top] = [box.left + scrollX, box.top + scrollY];
        const isOff = left + box.width < 1 || top + box.height < 1;
        if (!isOff && (left < -1.5 || top < -box.height * 0.35)) cut(text, 'cut by the window');
    }
    // A column so narrow that words fall apart into a letter or two a line.
    const counts = new Map();
    for (const {node} of lines) counts.set(node, (counts.get(node) ?? 0) + 1);
    for (const [node, n] of counts) {
        const text = node.textContent.trim().replace(/\\s+/g, ' ');
        if (n >= 4 && text.length < 4 * n) cut(text.slice(0, 100), `fallen apart over ${n} lines`);
    }
    for (const input of document.querySelectorAll('input:not([type=hidden]), textarea')) {
        const isCut = isSeen(input) && input.scrollWidth > input.clientWidth + 1;
        if (isCut && !input.title) cut(input.value || input.placeholder, 'cut by its field');
    }
    return [...found.values()].slice(0, 12);
}"""
)

# Lines of text that lie on one another, or that a picture or a control covers.
COLLIDING = (
    "() => {"
    + _COLOURS
    + _LINES
    + """
    const visible = ({element, box}) => {
        let {left, top, right, bottom} = box;
        for (const one of clipsOf(element)) {
            if (one.x !== 'visible') [left, right] =
                [Math.max(left, one.box.left), Math.min(right, one.box.right)];
            if (one.y !== 'visible') [top, bottom] =
                [Math.max(top, one.box.top), Math.min(bottom, one.box.bottom)];
        }
        return {left, top, right, bottom};
    };
    // Text on a slope has a box that is larger than itself.
    const isSloped = element => {
        const matrix = element.ownerSVGElement && element.getScreenCTM?.();
        return matrix && Math.abs(matrix.b) > 0.01;
    };
    const boxes = lines.filter(line => !isSloped(line.element))
        .map(line => ({...visible(line), what: line.node, element: line.element,
            text: line.node.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60)}));
    for (const element of document.querySelectorAll('img, canvas, button, select, textarea')) {
        if (!isSeen(element)) continue;
        const {left, top, right, bottom} = visible({element, box: element.getBoundingClientRect()});
        boxes.push({left, top, right, bottom, what: element, element, isThing: true,
            text: nameOf(element)});
    }
    const there = boxes.filter(box => box.right - box.left > 2 && box.bottom - box.top > 2)
        .sort((one, other) => one.top - other.top);
    const found = [];
    for (let i = 0; i < there.length && found.length < 12; i += 1) {
        for (let j = i + 1; j < there.length && there[j].top < there[i].bottom; j += 1) {
            const [a, b] = [there[i], there[j]];
            if (a.what === b.what || (a.isThing && b.isThing)) continue;
            if (a.what.contains(b.element) || b.what.contains(a.element)) continue;
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            const least = Math.min(a.bottom - a.top, b.bottom - b.top);
            if (wide > 3 && high > 0.45 * least) found.push(`${a.text} | ${b.text}`);
        }
    }
    // What stands still while its table scrolls hides what passes below only if it is opaque.
    const scrolls = new Map();
    const isInScrolling = cell => {
        const around = clipsOf(cell).find(one => one.scrolls)?.element;
        if (around && !scrolls.has(around)) {
            scrolls.set(around, around.scrollWidth > around.clientWidth + 1);
        }
        return scrolls.get(around);
    };
    const through = [...document.querySelectorAll('th, td')].filter(cell => isSeen(cell)
        && getComputedStyle(cell).position === 'sticky' && isInScrolling(cell)
        && channels(getComputedStyle(cell).backgroundColor)[3] < 1);
    return [...found, ...through.slice(0, 2).map(cell => `seen through: ${nameOf(cell)}`)];
}"""
)

# Labels that a chart on a canvas cuts off, shortens, draws too faintly or over one another.
# Evidence keeps its charts where this looks for them.
CHARTS = (
    "() => {"
    + _COLOURS
    + """
    const charts = Object.values(window[Symbol.for('__evidence-chart-window-debug__')] ?? {});
    const found = [];
    for (const chart of charts) {
        const dom = chart.isDisposed() ? null : chart.getDom();
        if (!dom?.isConnected || !dom.checkVisibility() || !dom.clientWidth) continue;
        const labels = [];
        for (const one of chart.getZr().storage.getDisplayList(true)) {
            const text = one.type === 'tspan' ? one.style.text : '';
            if (!String(text ?? '').trim() || one.invisible || one.style.opacity === 0) continue;
            const box = one.getBoundingRect().clone();
            if (one.transform) box.applyTransform(one.transform);
            labels.push({text, colour: one.style.fill, opacity: one.style.opacity ?? 1,
                ...{left: box.x, right: box.x + box.width, top: box.y,
                bottom: box.y + box.height}, isSloped: Math.abs(one.transform?.[1] ?? 0) > 0.01});
        }
        const say = (what, {text}) => found.push(`${name}: ${what}: ${text}`);
        const name = dom.closest('[aria-label]')?.getAttribute('aria-label') ?? 'a chart';
        for (const one of labels) {
            const isCut = one.left < -1 || one.top < -2 || one.right > chart.getWidth() + 1
                || one.bottom > chart.getHeight() + 2;
            if (isCut) say('cut off', one);
            if (/(\\.\\.\\.|…)$/.test(one.text)) say('shortened', one);
            const {ratio, key} = contrast(one.colour, one.opacity, dom);
            if (ratio < 4.5) say(`${ratio.toFixed(2)} ${key}`, one);
        }
        const level = labels.filter(one => !one.isSloped);
        level.forEach((a, i) => level.slice(i + 1).forEach(b => {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            const least = Math.min(a.bottom - a.top, b.bottom - b.top);
            if (wide > 2 && high > 0.4 * least) found.push(`${name}: ${a.text} | ${b.text}`);
        }));
    }
    return [...new Set(found)].slice(0, 12);
}"""
)

# Charts and colours take their new state at once instead of moving there.
STILL = """() => {
    for (const animation of document.getAnimations()) {
        // What goes on for ever has no end.
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
    const charts = Object.values(window[Symbol.for('__evidence-chart-window-debug__')] ?? {});
    for (const chart of charts) {
        if (!chart.isDisposed()) chart.resize({animation: {duration: 0}});
    }
    return charts.length;
}"""

# Headings that leave out a level, and pages that have not one heading of the first.
HEADINGS = (
    "() => {"
    + _SEEN
    + """
    const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6, [role=heading]')]
        .filter(heading => heading.checkVisibility() && heading.textContent.trim())
        .map(heading => ({level: Number(heading.getAttribute('aria-level')
            ?? heading.tagName.slice(1)), text: nameOf(heading)}));
    const found = headings
        .filter(({level}, i) => level > (i ? headings[i - 1].level : 0) + 1)
        .map(({text}) => `a level is left out before ${text}`);
    const firsts = headings.filter(({level}) => level === 1);
    if (firsts.length !== 1) found.push(`${firsts.length} headings of the first level`);
    return found;
}"""
)

# Places that scroll and that no key reaches; controls that the tabulator leaves out.
UNREACHED = (
    "() => {"
    + _SEEN
    + """
    const canFocus = 'a[href], button, input, select, textarea, summary, [tabindex]';
    const isStop = element => element.tabIndex >= 0 && !element.disabled
        && element.checkVisibility();
    const scrolling = [...document.body.querySelectorAll('*')].filter(element => {
        if (element.scrollWidth <= element.clientWidth + 1
            && element.scrollHeight <= element.clientHeight + 1) return false;
        const {overflowX, overflowY} = getComputedStyle(element);
        const ways = ['auto', 'scroll'];
        const isScroller = (ways.includes(overflowX)
            && element.scrollWidth > element.clientWidth + 1)
            || (ways.includes(overflowY) && element.scrollHeight > element.clientHeight + 1);
        return isScroller && isSeen(element) && !isStop(element)
            && ![...element.querySelectorAll(canFocus)].some(isStop);
    });
    // Of these one is a stop and the arrows lead to the others.
    const groups = '[role=tablist], [role=radiogroup], [role=listbox], [role=menu], [role=grid],'
        + '[role=toolbar], [role=group]';
    const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary,'
        + '[role=button], [role=tab], [role=radio], [role=checkbox], [role=combobox],'
        + '[role=option], [role=switch], [role=link]';
    const left = [...document.querySelectorAll(controls)].filter(control => isSeen(control)
        && !control.disabled && control.getAttribute('aria-disabled') !== 'true'
        && !control.closest('[aria-hidden=true], [inert]') && control.tabIndex < 0
        && ![...(control.closest(groups)?.querySelectorAll(canFocus) ?? [])].some(isStop));
    const early = [...document.querySelectorAll('[tabindex]')].filter(one => one.tabIndex > 0);
    return [...scrolling.map(one => `scrolls, but no key reaches it: ${nameOf(one)}`),
        ...left.map(one => `not reached by the tabulator: ${nameOf(one)}`),
        ...early.map(one => `before its turn: ${nameOf(one)}`)].slice(0, 12);
}"""
)

# Notes each stop of the tabulator as the next key leaves it, and how it looked before.
WATCH_STOPS = (
    "() => {"
    + _SEEN
    + """
    // From the top, whatever had the focus.
    const top = document.createElement('span');
    top.tabIndex = -1;
    document.body.prepend(top);
    top.focus();
    top.remove();
    document.documentElement.style.scrollBehavior = 'auto';
    scrollTo(0, 0);
    const looks = element => {
        const style = getComputedStyle(element);
        return [style.outlineStyle === 'none' || parseFloat(style.outlineWidth) === 0 ? 'none'
            : `${style.outlineStyle} ${style.outlineWidth} ${style.outlineColor}`,
            style.boxShadow, style.borderColor, style.backgroundColor,
            style.textDecorationLine].join('; ');
    };
    const canFocus = 'a[href], button, input:not([type=hidden]), select, textarea, summary,'
        + '[tabindex], iframe, audio[controls], video[controls], [contenteditable=true]';
    const stops = [...document.querySelectorAll(canFocus)].filter(element =>
        element.tabIndex >= 0 && !element.disabled && !element.closest('[inert]')
        && element.checkVisibility({visibilityProperty: true}));
    // Of the buttons of a form of which one is chosen only that one is a stop.
    const radios = stops.filter(one => one.type === 'radio' && !one.checked
        && (stops.some(other => other.name === one.name && other.checked)
            || stops.find(other => other.name === one.name) !== one));
    const expected = stops.filter(one => !radios.includes(one));
    const state = {expected, before: new Map(expected.map(one => [one, looks(one)])), seen: []};
    const note = () => {
        const element = document.activeElement;
        if (!element || element === document.body) return;
        const box = element.getBoundingClientRect();
        const isThere = box.width > 1 && box.height > 1 && box.bottom > 0 && box.right > 0
            && box.top < innerHeight && box.left < innerWidth
            && element.checkVisibility({opacityProperty: true, visibilityProperty: true});
        state.seen.push({element, isThere, isMarked: looks(element) !== state.before.get(element)});
    };
    window.addEventListener('keydown', note, {capture: true});
    window.watchedStops = {...state, nameOf, end: () => {
        window.removeEventListener('keydown', note, {capture: true});
        delete window.watchedStops;
    }};
    return expected.length;
}"""
)

# What went wrong on the way that the tabulator took.
STOPS = """() => {
    const {expected, seen, nameOf, end} = window.watchedStops;
    end();
    const found = [];
    const reached = new Set(seen.map(({element}) => element));
    const left = expected.filter(element => element.isConnected && !reached.has(element));
    left.slice(0, 5).forEach(one => found.push(`never reached: ${nameOf(one)}`));
    seen.slice(0, expected.length + 1).forEach(({element, isThere, isMarked}, i) => {
        if (!isThere) found.push(`focused out of sight: ${nameOf(element)}`);
        else if (!isMarked) found.push(`focus does not show: ${nameOf(element)}`);
        if (i && seen[i - 1].element === element) found.push(`a trap: ${nameOf(element)}`);
        const isBack = i && i < expected.length && seen[i - 1].element !== element
            && element.compareDocumentPosition(seen[i - 1].element) & 4;
        if (isBack) found.push(`out of order: ${nameOf(element)}`);
    });
    return [...new Set(found)].slice(0, 12);
}"""

# Controls that a screen reader could not name.
NAMELESS = """() => {
    const named = element =>
        element.getAttribute('aria-label') || element.getAttribute('title')
        || (element.getAttribute('aria-labelledby') ?? '').split(' ')
            .some(id => document.getElementById(id)?.textContent.trim())
        || [...(element.labels ?? [])].some(label => label.textContent.trim())
        || element.getAttribute('placeholder')
        || element.textContent.trim()
        || element.querySelector('img[alt]:not([alt=""]), svg title, [aria-label]');
    const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary,'
        + '[role=button], [role=combobox], [role=radio], [role=tab], [role=option]';
    return [...document.querySelectorAll(controls)]
        .filter(element => element.checkVisibility() && !element.closest('[aria-hidden=true]'))
        .filter(element => !named(element))
        .map(element => element.outerHTML.slice(0, 160));
}"""

# Charts and images without a text that says the same.
PICTURES = """() => [
    ...[...document.querySelectorAll('img')].filter(image => !image.hasAttribute('alt')),
    ...[...document.querySelectorAll('[_echarts_instance_], canvas, svg[role=img]')].filter(
        chart => !chart.closest('[aria-label]:not([aria-label=""]), [aria-labelledby]')
    ),
].map(element => element.outerHTML.slice(0, 160))"""

# Text whose contrast to its ground is below 4.5, or 3 where it is large (WCAG 2.2, 1.4.3).
CONTRAST = (
    "() => {"
    + _COLOURS
    + """
    const found = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const text = walker.currentNode.textContent.trim();
        if (!text || !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) {
            continue;
        }
        const unread = 'svg, script, style, [aria-hidden=true], :disabled, .sr-only';
        if (element.closest(unread)) continue;
        const style = getComputedStyle(element);
        const {ratio, key} = contrast(style.color, opacityOf(element), element);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (isLarge ? 3 : 4.5)) {
            if (!found.has(key)) found.set(key, `${ratio.toFixed(2)} ${key}: ${text.slice(0, 60)}`);
        }
    }
    return [...found.values()];
}"""
)
