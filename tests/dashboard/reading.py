"""What a page must hold to be read: scripts that run in it and give what breaks a rule."""

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
CONTRAST = """() => {
    const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const channels = colour => {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, ground) =>
        [0, 1, 2].map(i => top[i] * top[3] + ground[i] * (1 - top[3])).concat(1);
    const light = colour => {
        const [r, g, b] = colour.map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const groundOf = element => {
        const layers = [];
        for (let one = element; one; one = one.parentElement) {
            layers.unshift(channels(getComputedStyle(one).backgroundColor));
        }
        return layers.reduce((ground, layer) => over(layer, ground), [255, 255, 255, 1]);
    };
    const opacityOf = element => {
        let opacity = 1;
        for (let one = element; one; one = one.parentElement) {
            opacity *= Number(getComputedStyle(one).opacity);
        }
        return opacity;
    };
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
        const ground = groundOf(element);
        const ink = channels(style.color);
        const [above, below] = [over([...ink.slice(0, 3), ink[3] * opacityOf(element)], ground),
            ground].map(light).sort((a, b) => b - a);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const ratio = (above + 0.05) / (below + 0.05);
        if (ratio < (isLarge ? 3 : 4.5)) {
            const key = `${style.color} on ${ground.slice(0, 3).map(Math.round)}`;
            if (!found.has(key)) found.set(key, `${ratio.toFixed(2)} ${key}: ${text.slice(0, 60)}`);
        }
    }
    return [...found.values()];
}"""
