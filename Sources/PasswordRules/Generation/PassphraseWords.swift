// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The 1,024 words of passphrases: short, common, written one way, and fit to be read aloud.
enum PassphraseWords {
    static let all: [[UInt8]] = text.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }

    private static let text = """
        able acid acorn acre actor adapt adult agent agile aglow ahead alarm album alder alert alley alloy aloe alpha
        amber ample ankle apple apron arch arena armor arrow aspen atlas atom attic aunt awake award axis bacon badge
        bagel baker band banjo barge bark barn basil basin bath beach bead beam bean bear beech bell belt bench berry
        birch bird bison blade blaze blend blimp block blue board boat book boot bowl box brass brave bread brick brisk
        broom broth brown brush buggy bulb bus cabin cable cake calm camel camp canal candy canoe card cargo cart carve
        cedar cello chain chair chalk charm chart chase chess chest chief chili cider city clamp clay clean clerk cliff
        climb cloak clock cloth cloud club clue coach coal coast coat cocoa coil coin comet comic cone coral cord cork
        corn count cover cozy crab craft crane cream creek crest crisp crop crown crumb cube curry curve cycle dairy
        daisy dance dawn deck deer delta denim depot desk dew dial diary diner disc dish ditch dizzy dock dome donut door
        dove dozen draft drama dream dress drift drill drum duck dune dusk eager eagle early earth easel east easy echo
        edge eel eight elbow elder elk elm ember equal era essay exact extra fair fancy farm fast feast fern ferry fiber
        field fig film final finch fir first fish five flag flame flask fleet flint flock flora flour flute foam focus
        fog folk fork fox frame fresh frog frost fruit fudge full fuzzy gate gear gecko gem giant glad glass glide globe
        glove glow glue goal goat goblet golden golf gong good goose gopher gourd grain grape graph grass gravel gravy
        green greet grid grill grin groove grove guard guest guide guitar gulf gust habit hail hall hammer hand handle
        happy harbor harp hat hatch haven hawk hazel heart heater hedge helmet herb hero heron hiker hill hinge hippo
        hobby hockey hollow holly honest honey hood hoop horn hornet horse hotel hour house hub huddle human humble
        hummus hurdle hut hybrid ice icicle icon idea igloo image inch index indigo ink inlet insect inside iris iron
        island item ivory ivy jacket jade jaguar jam jar jazz jeans jelly jersey jewel jigsaw jingle jogger joke jolly
        joy juice july jumbo jumper june jungle junior kayak keen keeper kennel kernel kettle key kimono kind king kiosk
        kite kitten kiwi knee knight knot koala label lace ladder ladle lagoon lake lamb lamp lapel large lark laser
        latch latte laugh laurel lava lawn layer leader leaf lemon lens lentil letter level lever lichen light lilac lily
        lime linen lion liquid list little lively lizard llama lobby local locker locket lodge lofty logic lotus lounge
        loyal lucky lumber lunar lunch lynx lyric magic magnet magpie major mallet mango manor mantle maple marble march
        margin marina market marlin maroon marsh mascot mason match matrix meadow medal medium mellow melody melon memory
        mentor menu merit mesa metal meteor meter method midday mild mile milk mill mimic mint minute mirror mist mitten
        mixer model modern modest moment monday moon moose mosaic moss mother motion motor mouse movie muffin mule mural
        museum music myrtle napkin narrow nature navy near nectar needle neon nephew nest nettle new nickel niece night
        nimble nine noble node nomad noodle noon north notch note novel number nurse nutmeg nylon oak oasis oat oboe
        ocean offer office often olive omega omelet onion onyx opal open opera optic orange orbit orchid order organ
        origin osprey otter outer oval oven owl owner oxygen oyster paddle page pail paint palace palm panda panel pantry
        papaya paper parade parcel park parrot party pasta pastry path patio peach peak peanut pear pearl pebble pecan
        pedal pencil pepper perch piano pickle picnic pier pigeon pillar pillow pilot pine pink pipe pizza planet plank
        plant plate plaza plenty plum plush pocket podium poem poet polar polish pond pony poplar poppy porch port post
        potato powder prime prince print prism prize proud puffin pulley pulse puppet purple puzzle quail quarry quart
        quartz queen quest quick quiet quill quilt quince quiver quote rabbit racket radar radio radish raft rain raisin
        ramp ranch ranger rapid raven razor ready record reef regal region relay relic remedy rescue resin rhythm ribbon
        rice ridge right ring ripple river road robin robot rocket rodeo roller roof room root rope rose rotor round
        rover royal ruby rudder rug ruler runner rural rustic saddle safari sage sail salad salmon salt salute sample
        sand sandal satin sauce saucer scarf scenic school scout screen scroll sea seal season second seed senior serene
        seven shade shadow shape sheep shelf shell shield shine ship shirt shore short shovel shrimp sierra signal silent
        silk silver simple singer sister six skate sketch ski sky slate sled sleeve slice slope small smile smooth snack
        snail snow soap soccer sock soda sofa soft solar solid sonar sonnet soup south space spark spice spider spiral
        spoon sport spring sprout spruce squad square squash squid stable staff stage stairs stamp star state statue
        steady steam steel stem step stereo stick still stone stool store stork story stove straw stream street string
        stripe studio sturdy sugar suit summer summit sun sunday sunset surf swamp swan sweet swift swing symbol syrup
        system table tablet tailor talent tandem tango target tart taxi tea teal team teapot temple tempo ten tennis tent
        theory thirty thread three ticket tide tiger tile timber tinsel tiny toast today toffee tomato tonic tool topaz
        torch total toucan towel tower town toy track trade trail train travel tray tree trio trophy tropic trout truck
        trunk trust tuba tulip tundra tunnel turkey turnip turtle tuxedo twelve twenty twig twin twist uncle under union
        unit upper urban useful vacuum valid valley value vapor vase velvet verse vessel vest video vine vinyl violet
        violin visit vista vivid voice volume voyage waffle wagon waist walnut walrus waltz warm watch water wave wax
        weaver wedge whale wheat wheel white wicker wide willow wind window wing winner winter wisdom wise witty wizard
        wolf wombat wonder wood wool word world woven wreath wren wrist writer yacht yard yarn year yellow yoga yogurt
        young yoyo zebra zenith zephyr zero zest zinc zipper zodiac zone zoo
        """
}
