// The folder that the tests work in, and replies about it.
exports.files = {
  'basket.py': 'from prices import price_of\n\n\ndef total(lines):\n    acc = 0\n    for line in lines:\n        acc += price_of(line)\n    # done\n    return acc\n',
  'prices.py': 'def price_of(line):\n    return line.count * line.price\n',
  'README.md': '# Shop\n',
};
const block = (old, fresh) => `<<<<<<< SEARCH\n${old}=======\n${fresh}>>>>>>> REPLACE\n`;
exports.two = `basket.py\n\`\`\`python\n${block('    acc = 0\n', '    acc = 1\n')}${block('    return acc\n', '    return acc * 2\n')}\`\`\`\n`;
exports.spread = `basket.py\n\`\`\`python\n${block('    acc = 0\n', '    acc = 5\n')}\`\`\`\n\nprices.py\n\`\`\`python\n${block('    return line.count * line.price\n', '    return line.price\n')}\`\`\`\n`;
const listing = (name, text) => `I write it.\n\n${name}\n\`\`\`\`\n${text}\`\`\`\`\n`;
exports.plan = '# Plan: Carts\n\n## create item.py\n\n- contract: class Item\n\n## create cart.py\n\n- contract: def count(items)\n- depends: item.py\n\n## modify basket.py\n\n- depends: cart.py\n';
exports.made = {
  'item.py': listing('item.py', 'class Item:\n    price = 0\n'),
  'cart.py': listing('cart.py', 'def count(items):\n    return len(items)\n'),
  'basket.py': `basket.py\n\`\`\`python\n${block('    acc = 0\n', '    acc = 10\n')}\`\`\`\n`,
};
