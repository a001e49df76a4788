//! Figures as PNG, for papers and slides that take no SVG.

/// The picture of an SVG figure, as PNG with twice its size.
///
/// # Errors
/// A sentence, when the text is no SVG figure.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = resvg::usvg::Options::default();
    load_fonts(options.fontdb_mut());
    let tree = resvg::usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width().saturating_mul(2), size.height().saturating_mul(2));
    let mut image = resvg::tiny_skia::Pixmap::new(width, height).ok_or("it is too large")?;
    let twice = resvg::tiny_skia::Transform::from_scale(2.0, 2.0);
    resvg::render(&tree, twice, &mut image.as_mut());
    image.encode_png().map_err(|error| error.to_string())
}

/// The machine's fonts, with one of them as the plain family that figures ask for.
fn load_fonts(fonts: &mut resvg::usvg::fontdb::Database) {
    const PREFERRED: [&str; 4] = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial"];
    fonts.load_system_fonts();
    let families: Vec<String> =
        fonts.faces().flat_map(|face| &face.families).map(|(name, _)| name.clone()).collect();
    let preferred = PREFERRED.into_iter().find(|name| families.iter().any(|known| known == name));
    if let Some(family) = preferred.or(families.first().map(String::as_str)) {
        fonts.set_sans_serif_family(family);
    }
}
