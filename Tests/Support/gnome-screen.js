// What stands in GNOME Shell's banner: evaluated in the shell, gives what read-screen prints.
(() => {
    const {St} = imports.gi;
    const found = [];
    const name = actor => {
        if (actor instanceof St.Label)
            return actor.text;
        return actor instanceof St.Button ? actor.label || actor.accessible_name : null;
    };
    const walk = actor => {
        if (!actor.mapped)
            return;
        const [x, y] = actor.get_transformed_position();
        const [width, height] = actor.get_transformed_size();
        const role = actor instanceof St.Button ? 'push button' : 'label';
        if (name(actor) && width > 0) {
            const box = [x, y, width, height].map(Math.round);
            found.push({role, name: name(actor), x: box[0], y: box[1], width: box[2], height: box[3], window: 0});
        }
        actor.get_children().forEach(walk);
    };
    // A shell that was started by hand begins with its overview, and with a banner that says so.
    if (Main.overview.visible)
        Main.overview.hide();
    for (const source of Main.messageTray.getSources()) {
        if (source.title === 'System Information')
            source.destroy();
    }
    walk(Main.messageTray);
    return found;
})()
